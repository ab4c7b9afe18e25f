package gilmok.positions;

import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.geo.GeoIndex;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Where every rider was last, by fix time; and the same by place and by the order of changes.
 *
 * <p>One phone sends many positions in a row. Only the last of them goes to the index and to the
 * changes: when another rider's comes, or at {@link #settle}. {@link #through} says up to which
 * sequence that has been done.
 *
 * <p>Everything that changes belongs to the one thread that follows the log; any thread may ask.
 */
final class LatestPositions {
  private static final double E7 = 1e7;
  static final int CHANGES_MAX = 1 << 16;

  private final int ridersMax;
  private final Map<RiderKey, LatestPosition> byRider = new ConcurrentHashMap<>();
  private final GeoIndex<LatestPosition> index = new GeoIndex<>();
  private final ChangeRing changes;
  private final ArrayDeque<Integer> numbersFreed = new ArrayDeque<>();
  private final EventView view = new EventView();
  private final RiderKey probe = RiderKey.probe();
  private final LongAdder turnedAway = new LongAdder();
  private int numbersGiven;
  private @Nullable LatestPosition previous;
  private boolean unsettled;
  private int latE7;
  private int lonE7;
  private final AtomicLong met = new AtomicLong();
  private volatile long through;

  /**
   * @param ridersMax how many riders are followed at once; positions of more are not kept here
   * @param changesMax how many changes are kept: a power of two
   */
  LatestPositions(int ridersMax, int changesMax) {
    this.ridersMax = ridersMax;
    this.changes = new ChangeRing(changesMax);
  }

  /**
   * Takes a position from the log. Allocates only for a rider not seen before.
   *
   * @param sequence higher than any before
   */
  void take(byte[] bytes, int offset, int length, long arrivedMillis, long sequence) {
    view.wrap(bytes, offset, length);
    if (view.kind() != EventKind.POSITION || view.isAheadOf(arrivedMillis)) {
      return;
    }
    LatestPosition known = known(bytes);
    if (known != previous) {
      settle();
      through = sequence - 1;
    }
    LatestPosition latest = known == null ? meet() : known;
    if (latest == null) {
      return;
    }
    if (latest.update(view.at(), arrivedMillis, sequence, bytes, offset, length)) {
      latE7 = (int) Math.rint(view.lat() * E7);
      lonE7 = (int) Math.rint(view.lon() * E7);
      unsettled = true;
    }
    if (known == null) {
      byRider.put(latest.rider(), latest);
      met.incrementAndGet();
    }
    previous = latest;
  }

  /** Brings the index and the changes up to that sequence, which has been taken or is no trace. */
  void settle(long sequence) {
    settle();
    through = sequence;
  }

  private void settle() {
    LatestPosition moved = previous;
    if (unsettled && moved != null) {
      index.move(moved, latE7, lonE7);
      changes.add(moved.sequence(), moved);
      unsettled = false;
    }
  }

  /**
   * Writes the rider's latest position as JSON.
   *
   * @return false if there is none
   */
  boolean writeJson(String riderId, EventView reading, JsonBuffer out) {
    LatestPosition latest = find(RiderKey.of(riderId.getBytes(StandardCharsets.UTF_8)));
    if (latest == null) {
      return false;
    }
    latest.writeJson(reading, out);
    return true;
  }

  @Nullable LatestPosition find(RiderKey rider) {
    return byRider.get(rider);
  }

  GeoIndex<LatestPosition> index() {
    return index;
  }

  ChangeRing changes() {
    return changes;
  }

  Collection<LatestPosition> everyone() {
    return byRider.values();
  }

  /** The sequence up to which every reader here finds everything. */
  long through() {
    return through;
  }

  /** How often a rider was met who was not known. */
  long met() {
    return met.get();
  }

  /** A copy of the rider's encoded latest position; null if there is none. */
  byte @Nullable [] event(String riderId) {
    LatestPosition latest = find(RiderKey.of(riderId.getBytes(StandardCharsets.UTF_8)));
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
    settle();
    previous = null;
    for (Iterator<LatestPosition> all = byRider.values().iterator(); all.hasNext(); ) {
      LatestPosition latest = all.next();
      if (latest.arrivedMillis() < millis) {
        all.remove();
        forget(latest);
      }
    }
  }

  /** Forgets everyone. */
  void clear() {
    forgetBefore(Long.MAX_VALUE);
  }

  private void forget(LatestPosition latest) {
    latest.renumber(LatestPosition.FORGOTTEN);
    index.remove(latest);
    numbersFreed.push(latest.number());
  }

  /** Gives everyone a sequence anew, the last one that; for positions that came without. */
  void renumber(long sequence) {
    long next = sequence - byRider.size();
    for (LatestPosition latest : byRider.values()) {
      latest.renumber(++next);
    }
  }

  /** Everything up to that sequence is here; what comes from now on is a change. */
  void begin(long sequence) {
    settle(sequence);
    changes.restart(sequence);
  }

  /** One phone sends many positions in a row, so the rider of the one before is tried first. */
  private @Nullable LatestPosition known(byte[] bytes) {
    int offset = view.offset(EventField.RIDER_ID);
    int length = view.length(EventField.RIDER_ID);
    if (previous != null && previous.rider().is(bytes, offset, length)) {
      return previous;
    }
    return byRider.get(probe.at(bytes, offset, length));
  }

  private @Nullable LatestPosition meet() {
    if (byRider.size() >= ridersMax) {
      turnedAway.increment();
      return null;
    }
    Integer freed = numbersFreed.poll();
    return new LatestPosition(probe.copy(), freed == null ? numbersGiven++ : freed);
  }
}
