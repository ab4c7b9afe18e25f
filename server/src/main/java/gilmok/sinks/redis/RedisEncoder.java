package gilmok.sinks.redis;

import gilmok.event.DamagedEvent;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.redis.ScriptArguments;
import gilmok.sinks.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Encodes batches as commands. Each record is read and rendered once, for both the stream and the
 * latest positions.
 *
 * <p>Not thread-safe: owned by the sink.
 */
final class RedisEncoder {
  /** The most positions or riders of one script, because Redis serves nobody else while it runs. */
  static final int COUNT_MAX = 500;

  /** Once its arguments have this many bytes, a script gets no further position or rider. */
  static final int BYTES_MAX = 1 << 20;

  private static final int ARGUMENTS_BYTES = 64 << 10;
  private static final int SPARE_MAX = 16;

  private final LatestKeys latest;
  private final StreamKey stream;
  private final EventView view = new EventView();
  private final JsonBuffer records = new JsonBuffer();
  private final BatchRiders riders = new BatchRiders();
  private final int[] openMoves;
  private int[] riderOf = {};
  private int[] starts = {};

  /** The buffers of earlier calls, for reuse: a batch of positions needs some hundred kilobytes. */
  private final ArrayDeque<ScriptArguments> spare = new ArrayDeque<>();

  RedisEncoder(LatestKeys latest, StreamKey stream) {
    this.latest = latest;
    this.stream = stream;
    openMoves = new int[latest.buckets()];
  }

  /**
   * Encodes a batch.
   *
   * @param streamed sequences that are in the stream already
   */
  RedisTransfer pack(Batch batch, Set<Long> streamed, long nowMillis) {
    int size = batch.size();
    if (size > riderOf.length) {
      riderOf = new int[size];
      starts = new int[size + 1];
    }
    riders.clear(batch.bytes(), size);
    records.clear();
    RedisTransfer transfer = new RedisTransfer(size);
    addEntries(batch, streamed, nowMillis, transfer);
    addMoves(batch, nowMillis, transfer);
    return transfer;
  }

  private void addEntries(Batch batch, Set<Long> streamed, long nowMillis, RedisTransfer transfer) {
    ScriptArguments open = null;
    int entries = 0;
    for (int i = 0; i < batch.size(); i++) {
      starts[i] = records.size();
      if (!read(batch, i, nowMillis)) {
        transfer.damaged.set(i);
      } else if (streamed.isEmpty() || !streamed.contains(batch.sequence(i))) {
        if (open == null) {
          open = stream.begin(empty(transfer));
        }
        stream.add(batch, i, view, records, starts[i], open);
        transfer.additionOf[i] = transfer.additions.size();
        transfer.placeOf[i] = entries++;
        if (entries == COUNT_MAX || open.bytes() >= BYTES_MAX) {
          transfer.additions.add(stream.part(open, entries));
          open = null;
          entries = 0;
        }
      }
      starts[i + 1] = records.size();
    }
    if (open != null) {
      transfer.additions.add(stream.part(open, entries));
    }
  }

  private ScriptArguments empty(RedisTransfer transfer) {
    ScriptArguments kept = spare.poll();
    ScriptArguments empty = kept == null ? new ScriptArguments(ARGUMENTS_BYTES) : kept.clear();
    transfer.written.add(empty);
    return empty;
  }

  /** All calls of a transfer were answered: its buffers may be reused. */
  void answered(RedisTransfer transfer) {
    for (ScriptArguments written : transfer.written) {
      if (spare.size() < SPARE_MAX && written.bytes() <= BYTES_MAX) {
        spare.add(written);
      }
    }
    transfer.written.clear();
  }

  /** Reads a record; false if it is no event. */
  private boolean read(Batch batch, int i, long nowMillis) {
    riderOf[i] = RedisTransfer.NONE;
    try {
      view.wrap(batch.bytes(), batch.offset(i), batch.length(i));
    } catch (DamagedEvent notOne) {
      return false;
    }
    view.writeJson(records);
    if (!view.isAheadOf(batch.receivedAtMillis(i)) && !latest.isForgotten(view.at(), nowMillis)) {
      riderOf[i] = latest.note(view, i, riders);
    }
    return true;
  }

  private void addMoves(Batch batch, long nowMillis, RedisTransfer transfer) {
    List<ScriptArguments> all = new ArrayList<>();
    List<Integer> buckets = new ArrayList<>();
    int[] moveOf = new int[riders.size()];
    Arrays.fill(openMoves, RedisTransfer.NONE);
    for (int rider = 0; rider < riders.size(); rider++) {
      int i = riders.newest(rider);
      int bucket = latest.bucket(riders.hash(rider));
      if (openMoves[bucket] == RedisTransfer.NONE) {
        openMoves[bucket] = all.size();
        all.add(latest.begin(bucket, nowMillis, empty(transfer)));
        buckets.add(bucket);
      }
      moveOf[rider] = openMoves[bucket];
      ScriptArguments open = all.get(openMoves[bucket]);
      view.wrap(batch.bytes(), batch.offset(i), batch.length(i));
      latest.add(batch, i, view, records.bytes(), starts[i], starts[i + 1], open);
      if (LatestKeys.riders(open) == COUNT_MAX || open.bytes() >= BYTES_MAX) {
        openMoves[bucket] = RedisTransfer.NONE;
      }
    }
    for (int move = 0; move < all.size(); move++) {
      transfer.moves.add(latest.part(buckets.get(move), all.get(move)));
    }
    for (int i = 0; i < batch.size(); i++) {
      if (riderOf[i] != RedisTransfer.NONE) {
        transfer.moveOf[i] = moveOf[riderOf[i]];
      }
    }
  }
}
