package gilmok.collect;

import gilmok.auth.Binding;
import gilmok.collect.json.JsonDecoder;
import gilmok.event.DedupKey;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.HiddenKey;
import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedEncoder;
import gilmok.event.TracedEvent;
import gilmok.log.AppendBatch;
import gilmok.log.Stream;
import gilmok.trace.TraceContext;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a decoder found in one body into a batch for the log: events and rejects, each with
 * its stream and its deduplication key.
 *
 * <p>Not thread-safe: one for each event loop, reused.
 */
final class RecordBatchBuilder {
  private final Events events = new Events();
  private final EventView view = new EventView();
  private final QuarantinedEncoder quarantined = new QuarantinedEncoder();
  private final JsonBuffer hidden = new JsonBuffer();
  private final AppendBatch batch = new AppendBatch();
  private final DedupKey key;
  private final TracedEvent traced = new TracedEvent();

  /** What is added to each event of the present request; null for nothing. */
  private byte @Nullable [] traceparent;

  /**
   * Makes an empty one.
   *
   * @param secret the 16 bytes that key the deduplication hash
   */
  RecordBatchBuilder(byte[] secret) {
    this.key = new DedupKey(secret);
  }

  /** Where the decoder puts the events and the rejects. */
  Events events() {
    return events;
  }

  /** The request that brings the next events is part of that trace; null for none. */
  void traced(@Nullable TraceContext trace) {
    traceparent = trace == null ? null : trace.header().getBytes(StandardCharsets.US_ASCII);
  }

  /** The stream that holds events of that kind. */
  static Stream stream(EventKind kind) {
    return switch (kind) {
      case POSITION -> Stream.TRACES;
      case ACTION -> Stream.ACTIONS;
      case LOG_LINE -> Stream.LOGS;
      case QUARANTINED -> Stream.QUARANTINE;
      case DELIVERY -> Stream.DELIVERIES;
      case AUDIT -> Stream.AUDIT;
    };
  }

  /** Why a bound key may not write these events; null if it may. */
  @Nullable String stranger(@Nullable Binding binding) {
    if (binding == null) {
      return null;
    }
    if (binding.kind() != Binding.Kind.RIDER) {
      return "the key is bound to no rider";
    }
    for (int i = 0; i < events.count(); i++) {
      view.wrap(events.bytes(), events.offset(i), events.length(i));
      if (!view.riderId().equals(binding.id())) {
        return "the key is bound to another rider";
      }
    }
    return null;
  }

  /**
   * Makes a batch of all events and rejects.
   *
   * @param body the bytes that the rejects are pieces of
   * @param meant the stream that the rejects were meant for
   */
  AppendBatch pack(byte[] body, Stream meant) {
    return pack(body, meant, 0, size());
  }

  /** How many records there are: the events, followed by the rejects. */
  int size() {
    return events.count() + events.rejectCount();
  }

  /** Makes a batch of the records {@code from} to {@code to}, the latter excluded. */
  AppendBatch pack(byte[] body, Stream meant, int from, int to) {
    batch.clear();
    for (int i = from; i < Math.min(to, events.count()); i++) {
      addEvent(stream(events.kind(i)), events.offset(i), events.length(i));
    }
    for (int i = Math.max(0, from - events.count()); i < to - events.count(); i++) {
      setAside(body, meant, i);
      add(Stream.QUARANTINE, quarantined.bytes(), 0, quarantined.size());
    }
    return batch;
  }

  private void setAside(byte[] body, Stream meant, int i) {
    byte[] raw = body;
    int start = events.rejectStart(i);
    int end = events.rejectEnd(i);
    if (end - start > QuarantinedEncoder.RAW_BYTES_MAX
        && events.rejectField(i).equals(JsonDecoder.KEY)) {
      byte[] shortest = shortest(body, start, end);
      raw = shortest == null ? raw : shortest;
      start = shortest == null ? start : 0;
      end = shortest == null ? end : shortest.length;
    }
    if (HiddenKey.mayBeIn(raw, start, end)) {
      hidden.clear();
      HiddenKey.hide(raw, start, end, hidden);
      raw = hidden.bytes();
      start = 0;
      end = hidden.size();
    }
    quarantined.encode(
        meant.label(),
        events.rejectIndex(i),
        events.rejectField(i),
        events.rejectReason(i),
        raw,
        start,
        end);
  }

  /**
   * A sound action in its shortest form, so that all of it can be kept and replayed: only white
   * space and escapes make one longer than what is kept of a record. Null for one in another form
   * than ours.
   */
  private static byte @Nullable [] shortest(byte[] body, int start, int end) {
    Events one = new Events();
    var _ = new JsonDecoder().decode(EventKind.ACTION, body, start, end - start, one);
    if (one.count() != 1) {
      return null;
    }
    JsonBuffer out = new JsonBuffer();
    new EventView().wrap(one.bytes(), one.offset(0), one.length(0)).writeJson(out);
    return out.copy();
  }

  private void addEvent(Stream stream, int offset, int length) {
    byte[] trace = traceparent;
    if (trace != null && traced.add(events.bytes(), offset, length, trace)) {
      add(stream, traced.bytes(), 0, traced.size());
    } else {
      add(stream, events.bytes(), offset, length);
    }
  }

  private void add(Stream stream, byte[] bytes, int offset, int length) {
    key.hash(stream.code(), bytes, offset, length);
    batch.add(stream, bytes, offset, length, key.high(), key.low());
  }

  /** How many events of the batch had been stored before; rejects do not count. */
  int duplicates() {
    if (batch.repeatCount() == 0) {
      return 0;
    }
    int duplicates = 0;
    for (int i = 0; i < events.count(); i++) {
      duplicates += batch.isRepeat(i) ? 1 : 0;
    }
    return duplicates;
  }

  /** Starts to count what becomes of each stream's records. */
  Counts counts(Stream meant) {
    return new Counts(meant, events.rejectCount());
  }

  /** Counts the records of the last batch, once the log has taken it. */
  void count(Counts counts, int from, int to) {
    for (int i = from; i < Math.min(to, events.count()); i++) {
      counts.add(stream(events.kind(i)), batch.isRepeat(i - from));
    }
  }

  /** How many records of each stream were stored, duplicate, or set aside. */
  static final class Counts {
    private static final Stream[] STREAMS = {Stream.TRACES, Stream.ACTIONS, Stream.LOGS};

    private final Stream meant;
    private final int aside;
    private final int[] stored = new int[Stream.QUARANTINE.code()];
    private final int[] repeated = new int[Stream.QUARANTINE.code()];

    private Counts(Stream meant, int aside) {
      this.meant = meant;
      this.aside = aside;
    }

    private void add(Stream stream, boolean isRepeat) {
      (isRepeat ? repeated : stored)[stream.code()]++;
    }

    void tell(CollectMeters meter) {
      for (Stream stream : STREAMS) {
        int i = stream.code();
        int setAside = stream == meant ? aside : 0;
        if (stored[i] + repeated[i] + setAside > 0) {
          meter.collected(stream, stored[i], repeated[i], setAside);
        }
      }
    }
  }
}
