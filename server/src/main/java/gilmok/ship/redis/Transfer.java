package gilmok.ship.redis;

import gilmok.event.DamagedEvent;
import gilmok.event.DedupKey;
import gilmok.event.EventView;
import gilmok.event.Field;
import gilmok.event.JsonBuffer;
import gilmok.redis.Call;
import gilmok.ship.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One batch as commands: for each bucket a script with its riders' newest fixes, then for each
 * position an entry of the stream; and which of them each record needs.
 *
 * <p>Not thread-safe.
 */
final class Transfer {
  /** A record needs no command of that sort. */
  static final int NONE = -1;

  private static final byte[] RECORD_ID = Call.utf8("recordId");
  private static final byte[] DEDUP_KEY = Call.utf8("dedupKey");
  private static final byte[] RIDER_ID = Call.utf8("riderId");
  private static final byte[] AT = Call.utf8("at");
  private static final byte[] RECORD = Call.utf8("record");

  private final EventView view = new EventView();
  private final DedupKey dedupKey = new DedupKey();
  private final JsonBuffer json = new JsonBuffer();
  private final Batch batch;
  private final BitSet damaged = new BitSet();
  private final int[] bucketOf;
  private final int[] scriptOf;
  private final int[] entryOf;
  private final byte[][] riders;
  private final byte[][] records;
  private final Map<Integer, Map<String, Integer>> newest = new TreeMap<>();
  private final List<Call> calls = new ArrayList<>();

  private Transfer(Batch batch) {
    int size = batch.size();
    this.batch = batch;
    bucketOf = filled(size);
    scriptOf = filled(size);
    entryOf = filled(size);
    riders = new byte[size][];
    records = new byte[size][];
  }

  private static int[] filled(int size) {
    int[] none = new int[size];
    Arrays.fill(none, NONE);
    return none;
  }

  /**
   * The commands for a batch.
   *
   * @param stream the stream's key
   * @param streamed sequences that are in the stream already
   */
  static Transfer of(
      Batch batch,
      LatestKeys latest,
      byte[] stream,
      byte[] lengthMax,
      Set<Long> streamed,
      long nowMillis) {
    Transfer transfer = new Transfer(batch);
    List<Call> entries = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      if (transfer.read(i, latest, nowMillis) && !streamed.contains(batch.sequence(i))) {
        transfer.entryOf[i] = entries.size();
        entries.add(transfer.entry(i, stream, lengthMax));
      }
    }
    // The latest first: whoever reads of a position in the stream finds it there, or a newer one.
    transfer.addScripts(latest, nowMillis);
    int before = transfer.calls.size();
    for (int i = 0; i < batch.size(); i++) {
      transfer.entryOf[i] += transfer.entryOf[i] == NONE ? 0 : before;
    }
    transfer.calls.addAll(entries);
    return transfer;
  }

  /** Reads a record; false if it is no event. */
  private boolean read(int i, LatestKeys latest, long nowMillis) {
    try {
      wrap(i);
    } catch (DamagedEvent notOne) {
      damaged.set(i);
      return false;
    }
    riders[i] = text(Field.RIDER_ID);
    json.clear();
    view.writeJson(json);
    records[i] = Arrays.copyOf(json.bytes(), json.size());
    if (!view.isAheadOf(batch.receivedAtMillis(i)) && !latest.isForgotten(view.at(), nowMillis)) {
      int bucket = latest.bucket(view);
      long at = view.at();
      bucketOf[i] = bucket;
      newest
          .computeIfAbsent(bucket, _ -> new HashMap<>())
          .merge(view.riderId(), i, (known, other) -> at >= at(known) ? other : known);
      wrap(i);
    }
    return true;
  }

  private void wrap(int i) {
    view.wrap(batch.bytes(), batch.offset(i), batch.length(i));
  }

  private long at(int i) {
    wrap(i);
    return view.at();
  }

  private byte[] text(Field field) {
    int offset = view.offset(field);
    return Arrays.copyOfRange(view.bytes(), offset, offset + view.length(field));
  }

  private Call entry(int i, byte[] stream, byte[] lengthMax) {
    json.clear();
    dedupKey.write(batch.stream(i).code(), view, batch.offset(i), batch.length(i), json);
    List<byte[]> arguments = new ArrayList<>(14);
    arguments.add(MAXLEN);
    arguments.add(ABOUT);
    arguments.add(lengthMax);
    arguments.add(ANY_ID);
    arguments.add(RECORD_ID);
    arguments.add(Call.utf8(batch.node() + ":" + batch.sequence(i)));
    arguments.add(DEDUP_KEY);
    arguments.add(Arrays.copyOf(json.bytes(), json.size()));
    arguments.add(RIDER_ID);
    arguments.add(riders[i]);
    arguments.add(AT);
    arguments.add(Call.utf8(Long.toString(view.at())));
    arguments.add(RECORD);
    arguments.add(records[i]);
    return Call.of("XADD", List.of(stream), arguments);
  }

  private static final byte[] MAXLEN = Call.utf8("MAXLEN");
  private static final byte[] ABOUT = Call.utf8("~");
  private static final byte[] ANY_ID = Call.utf8("*");

  private void addScripts(LatestKeys latest, long nowMillis) {
    newest.forEach(
        (bucket, byRider) -> {
          List<byte[]> arguments = new ArrayList<>(5 * byRider.size());
          for (int i : byRider.values()) {
            wrap(i);
            LatestKeys.add(view, riders[i], position(i), arguments);
          }
          for (int i = 0; i < batch.size(); i++) {
            if (bucketOf[i] == bucket) {
              scriptOf[i] = calls.size();
            }
          }
          calls.add(latest.call(bucket, arguments, nowMillis));
        });
  }

  /** A record's JSON object with one member more: where it is from. */
  private byte[] position(int i) {
    json.clear();
    json.raw(records[i], 0, records[i].length - 1);
    json.ascii(",\"recordId\":\"").ascii(batch.node().toString());
    json.put(':').number(batch.sequence(i)).ascii("\"}");
    return Arrays.copyOf(json.bytes(), json.size());
  }

  /** What to send. */
  List<Call> calls() {
    return calls;
  }

  /** Records that are no events. */
  BitSet damaged() {
    return damaged;
  }

  /** Which call moves the record's rider; {@link #NONE} if none has to. */
  int scriptOf(int i) {
    return scriptOf[i];
  }

  /** Which call puts the record into the stream; {@link #NONE} if it is there. */
  int entryOf(int i) {
    return entryOf[i];
  }

  /** How many riders a bucket's script looks at. */
  int riders(int bucket) {
    return newest.getOrDefault(bucket, Map.of()).size();
  }

  /** The bucket of the record's rider; {@link #NONE} if it is not looked at. */
  int bucketOf(int i) {
    return bucketOf[i];
  }
}
