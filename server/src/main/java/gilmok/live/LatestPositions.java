package gilmok.live;

import gilmok.event.DamagedEvent;
import gilmok.event.EventView;
import gilmok.event.Field;
import gilmok.event.JsonBuffer;
import gilmok.event.Kind;
import gilmok.log.Checkpoint;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Where every rider was last, by fix time.
 *
 * <p>{@link #take} and the snapshot belong to the one thread that follows the log; any thread may
 * ask.
 */
final class LatestPositions {
  private static final int EVENT_BYTES_MAX = 1 << 20;

  private final int ridersMax;
  private final Map<RiderKey, Latest> byRider = new ConcurrentHashMap<>();
  private final EventView view = new EventView();
  private final RiderKey probe = RiderKey.probe();
  private @Nullable Latest previous;
  private final LongAdder turnedAway = new LongAdder();

  /**
   * @param ridersMax how many riders are followed at once; positions of more are not kept here
   */
  LatestPositions(int ridersMax) {
    this.ridersMax = ridersMax;
  }

  /** Takes a position from the log. Allocates only for a rider not seen before. */
  void take(byte[] bytes, int offset, int length, long arrivedMillis) {
    view.wrap(bytes, offset, length);
    if (view.kind() != Kind.POSITION || view.isAheadOf(arrivedMillis)) {
      return;
    }
    Latest known = known(bytes);
    Latest latest = known == null ? met() : known;
    if (latest == null) {
      return;
    }
    latest.update(view.at(), arrivedMillis, bytes, offset, length);
    if (known == null) {
      byRider.put(latest.rider(), latest);
    }
    previous = latest;
  }

  /**
   * Writes the rider's latest position as JSON.
   *
   * @return false if there is none
   */
  boolean writeJson(String riderId, EventView reading, JsonBuffer out) {
    Latest latest = byRider.get(RiderKey.of(riderId.getBytes(StandardCharsets.UTF_8)));
    if (latest == null) {
      return false;
    }
    latest.writeJson(reading, out);
    return true;
  }

  /** A copy of the rider's encoded latest position; null if there is none. */
  byte @Nullable [] event(String riderId) {
    Latest latest = byRider.get(RiderKey.of(riderId.getBytes(StandardCharsets.UTF_8)));
    return latest == null ? null : latest.event();
  }

  int size() {
    return byRider.size();
  }

  /** Positions of riders beyond the bound, since the start. */
  long turnedAway() {
    return turnedAway.sum();
  }

  /** Forgets riders who have not been heard of since that time, epoch ms. */
  void forgetBefore(long millis) {
    byRider.values().removeIf(latest -> latest.arrivedMillis() < millis);
    previous = null;
  }

  /** Saves everyone, and the sequence up to which the log is in it. */
  void save(Checkpoint file, long sequence) throws IOException, InterruptedException {
    file.replace(
        out -> {
          out.writeLong(sequence);
          for (Latest latest : byRider.values()) {
            out.writeByte(1);
            latest.writeTo(out);
          }
          out.writeByte(0);
        });
  }

  /** Loads what was saved; 0 when there is nothing sound. */
  long load(Checkpoint file) throws IOException {
    try {
      Long sequence = file.read(this::read);
      if (sequence != null) {
        return sequence;
      }
    } catch (DamagedEvent unsound) {
      // Read again from the log, like a snapshot that is missing.
    }
    byRider.clear();
    previous = null;
    return 0;
  }

  private long read(DataInputStream in) throws IOException {
    long sequence = in.readLong();
    while (in.readByte() == 1) {
      long arrivedMillis = in.readLong();
      int length = in.readInt();
      if (length < 0 || length > EVENT_BYTES_MAX) {
        throw new EOFException("no event is that long");
      }
      byte[] event = new byte[length];
      in.readFully(event);
      take(event, 0, length, Math.max(arrivedMillis, 0));
    }
    return sequence;
  }

  /** One phone sends many positions in a row, so the rider of the one before is tried first. */
  private @Nullable Latest known(byte[] bytes) {
    int offset = view.offset(Field.RIDER_ID);
    int length = view.length(Field.RIDER_ID);
    if (previous != null && previous.rider().is(bytes, offset, length)) {
      return previous;
    }
    return byRider.get(probe.at(bytes, offset, length));
  }

  private @Nullable Latest met() {
    if (byRider.size() >= ridersMax) {
      turnedAway.increment();
      return null;
    }
    return new Latest(probe.copy());
  }
}
