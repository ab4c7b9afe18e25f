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
 * The latest position of every rider, by fix time. Positions can be found by rider, by place
 * ({@link #index}) and in the order of changes ({@link #changes}).
 *
 * <p>One phone sends many positions in a row. Only the last of them enters the index and the
 * changes: when a position of another rider arrives, or at {@link #settle}. {@link #through} is the
 * sequence up to which this has been done.
 *
 * <p>Methods that change it belong to the one thread that follows the log; any thread may read.
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
   * An empty table.
   *
   * @param ridersMax how many riders are followed at once; positions of further riders are dropped
   *     here
   * @param changesMax how many changes are kept: a power of two
   */
  LatestPositions(int ridersMax, int changesMax) {
    this.ridersMax = ridersMax;
    this.changes = new ChangeRing(changesMax);
  }

  /**
   * Adds a position from the log. Allocates only for a new rider.
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

  /**
   * Brings the index and the changes up to a sequence. Each record up to it must have been taken,
   * or must not be a position.
   */
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

  /** The sequence up to which readers find every position here. */
  long through() {
    return through;
  }

  /** How often a new rider was added. */
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

  /** How many positions of riders beyond the limit were dropped since the start. */
  long turnedAway() {
    return turnedAway.sum();
  }

  /** Removes riders whose last position arrived before a time, in epoch ms. */
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

  /** Removes all riders. */
  void clear() {
    forgetBefore(Long.MAX_VALUE);
  }

  private void forget(LatestPosition latest) {
    latest.renumber(LatestPosition.FORGOTTEN);
    index.remove(latest);
    numbersFreed.push(latest.number());
  }

  /**
   * Gives every rider a new sequence, the highest of them the given one. For positions that were
   * saved without sequences.
   */
  void renumber(long sequence) {
    long next = sequence - byRider.size();
    for (LatestPosition latest : byRider.values()) {
      latest.renumber(++next);
    }
  }

  /**
   * Starts the order of changes: everything up to a sequence is known; later positions are changes.
   */
  void begin(long sequence) {
    settle(sequence);
    changes.restart(sequence);
  }

  /**
   * The rider of the position in {@code view}, if it is known. The rider of the position before is
   * tried first, as one phone sends many in a row.
   */
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
