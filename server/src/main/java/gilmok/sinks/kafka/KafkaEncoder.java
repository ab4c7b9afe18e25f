package gilmok.sinks.kafka;

import gilmok.event.DamagedEvent;
import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.log.Stream;
import gilmok.sinks.Batch;
import gilmok.sinks.ShippedLine;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * One batch as Kafka's records: the line that all sinks ship as the value, the rider or the
 * delivery as the key.
 *
 * <p>Not thread-safe: used by the thread that sends, after the one that {@link #prepare}d it.
 */
final class KafkaEncoder implements OrderedProducer.Lot {
  /** The header with the record's id, {@code node:sequence}. */
  static final String ID = "gilmok-id";

  /** The header with the key by which readers drop repeats. */
  static final String DEDUP_KEY = "gilmok-dedup-key";

  static final String DAMAGED = "damaged: no event";

  private final Batch batch;
  private final KafkaConfig config;
  private final ShippedLine line = new ShippedLine();
  private final JsonBuffer text = new JsonBuffer();

  /** Each stream's topic, so that the client reckons a name's hash once a batch. */
  private final Map<Stream, String> topics = new EnumMap<>(Stream.class);

  /** The records that are no events. */
  final BitSet damaged = new BitSet();

  /**
   * The positions that may be a rider's newest, by their index; none where nobody asks for them.
   */
  private final @Nullable Fix[] fixes;

  /** The bytes of all values. */
  private long bytes;

  /** The records, once they are prepared; null before. */
  private @Nullable ProducerRecord<byte[], byte[]> @Nullable [] prepared;

  /** A position of a rider. */
  record Fix(String rider, long at, ProducerRecord<byte[], byte[]> record) {}

  KafkaEncoder(Batch batch, KafkaConfig config) {
    this.batch = batch;
    this.config = config;
    fixes = new Fix[config.latest() == null ? 0 : batch.size()];
  }

  @Override
  public int size() {
    return batch.size();
  }

  /** Encodes all records, before it is their turn. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  void prepare() {
    ProducerRecord<byte[], byte[]>[] all = new ProducerRecord[batch.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = encode(i);
    }
    prepared = all;
  }

  /** Whether it was prepared for just this batch, to which nothing was added since. */
  @SuppressWarnings("ReferenceEquality") // which batch it is counts, not what it has
  boolean isPreparedFor(Batch other) {
    return batch == other && prepared != null && prepared.length == other.size();
  }

  @Override
  public @Nullable ProducerRecord<byte[], byte[]> record(int i) {
    return prepared == null ? encode(i) : prepared[i];
  }

  private @Nullable ProducerRecord<byte[], byte[]> encode(int i) {
    text.clear();
    EventView view;
    try {
      view = line.write(batch, i, text);
    } catch (DamagedEvent no) {
      damaged.set(i);
      return null;
    }
    Stream stream = batch.stream(i);
    byte[] key = key(stream, view);
    byte[] value = text.copy();
    List<Header> headers =
        List.of(
            new RecordHeader(ID, line.recordId(text)),
            new RecordHeader(DEDUP_KEY, line.dedupKey(text)));
    bytes += value.length;
    KafkaConfig.Latest latest = config.latest();
    if (latest != null
        && key != null
        && stream == Stream.TRACES
        && !view.isAheadOf(batch.receivedAtMillis(i))) {
      fixes[i] =
          new Fix(
              view.riderId(),
              view.at(),
              new ProducerRecord<>(latest.topic(), null, key, value, headers));
    }
    return new ProducerRecord<>(
        topics.computeIfAbsent(stream, config::topic), null, key, value, headers);
  }

  /** The newest positions among records that were handed over. */
  @Nullable Fix fix(int index) {
    return fixes.length == 0 ? null : fixes[index];
  }

  long bytes() {
    return bytes;
  }

  /** The rider, or the delivery of an event of one; null: any partition will do. */
  private static byte @Nullable [] key(Stream stream, EventView view) {
    if (stream == Stream.DELIVERIES && view.has(EventField.ID)) {
      byte[] id = bytes(view, EventField.ID); // delivery:version
      int end = id.length;
      while (end > 0 && id[end - 1] != ':') {
        end--;
      }
      return end == 0 ? id : Arrays.copyOf(id, end - 1);
    }
    return view.has(EventField.RIDER_ID) ? bytes(view, EventField.RIDER_ID) : null;
  }

  private static byte[] bytes(EventView view, EventField field) {
    int offset = view.offset(field);
    return Arrays.copyOfRange(view.bytes(), offset, offset + view.length(field));
  }
}
