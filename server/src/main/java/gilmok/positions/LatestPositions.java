package gilmok.positions;

import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.SeededHash;
import gilmok.geo.GeoIndex;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;

/**
 * The latest position of every rider, by fix time. Positions can be found by rider, by place
 * ({@link #index}) and in the order of changes ({@link #changes}).
 *
 * <p>A rider is a small number, and no object: about 60 bytes and the encoded event. A number is
 * given to another rider once its own is forgotten; {@link #forgets} tells readers of that.
 *
 * <p>One phone sends many positions in a row. Only the last of them enters the index and the
 * changes: when a position of another rider arrives, or at {@link #settle}. {@link #through} is the
 * sequence up to which this has been done.
 *
 * <p>Methods that change it are called by one thread at a time: the one that follows the log, or
 * the one that follows the other nodes, under one lock. Any thread may read, and never waits for
 * more than one write. The package's page says how.
 */
final class LatestPositions {
  private static final double E7 = 1e7;
  static final int CHANGES_MAX = 1 << 16;

  /** The sequence while a newer position is written. */
  private static final long WRITING = Long.MAX_VALUE - 1;

  /** The room for an event that grows, so that it does not grow again soon. */
  private static final int SLACK = 4;

  /** Some ten milliseconds of work. */
  private static final int FORGOTTEN_AT_ONCE = 10_000;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 20_000;

  private final int ridersMax;
  private final RiderTable byRider = new RiderTable(this::hashOf);
  private final RiderColumns columns = new RiderColumns();
  private final EventPages events = new EventPages(this::move);
  private final GeoIndex index = new GeoIndex();
  private final ChangeRing changes;
  private final EventView view = new EventView();
  private final IntPredicate isWanted = this::isWanted;
  private byte[] wanted = {};
  private int wantedOffset;
  private int wantedLength;
  private final LongAdder turnedAway = new LongAdder();

  /** The first of the numbers that were given back; each one's place is the next. */
  private int freed = RiderTable.NONE;

  private int previous = RiderTable.NONE;
  private boolean unsettled;
  private int latE7;
  private int lonE7;
  private volatile int numbers;
  private final AtomicLong met = new AtomicLong();
  private final AtomicLong forgets = new AtomicLong();
  private volatile long through;

  /**
   * An empty table.
   *
   * @param ridersMax how many riders are followed at once; further ones' positions are dropped here
   * @param changesMax how many changes are kept: a power of two
   */
  LatestPositions(int ridersMax, int changesMax) {
    this.ridersMax = Math.min(ridersMax, RiderTable.NUMBER_MAX);
    this.changes = new ChangeRing(changesMax);
  }

  /** Adds a position from the log, with a sequence that is the highest or was taken before. */
  void take(byte[] bytes, int offset, int length, long arrivedMillis, long sequence) {
    view.wrap(bytes, offset, length);
    boolean _ = take(bytes, offset, length, arrivedMillis, sequence, false);
  }

  /**
   * Adds a position that another node collected, unless it is the rider's latest already. When it
   * arrived: {@link PositionBatch#UNKNOWN} counts as the time of the fix.
   *
   * @param sequence higher than any before
   * @return whether it is the rider's latest now
   */
  boolean takeForeign(byte[] bytes, int offset, int length, long arrivedMillis, long sequence) {
    view.wrap(bytes, offset, length);
    long arrived = arrivedMillis == PositionBatch.UNKNOWN ? view.at() : arrivedMillis;
    return take(bytes, offset, length, arrived, sequence, true);
  }

  private boolean take(
      byte[] bytes, int offset, int length, long arrivedMillis, long sequence, boolean isForeign) {
    if (view.kind() != EventKind.POSITION || view.isAheadOf(arrivedMillis)) {
      return false;
    }
    wanted(bytes, view.offset(EventField.RIDER_ID), view.length(EventField.RIDER_ID));
    int hash = 0;
    int rider = previous;
    if (rider == RiderTable.NONE || !isWanted(rider)) {
      hash = SeededHash.of(bytes, wantedOffset, wantedLength);
      rider = byRider.find(hash, isWanted);
    }
    if (rider == RiderTable.NONE || rider != previous) {
      settle();
      through = sequence - 1;
    }
    if (rider == RiderTable.NONE) {
      if (byRider.size() >= ridersMax) {
        turnedAway.increment();
        return false;
      }
      rider = meet(hash, bytes, offset, length, arrivedMillis, sequence);
    } else if ((isForeign && events.has(columns.place(rider), bytes, offset, length))
        || !update(rider, bytes, offset, length, arrivedMillis, sequence)) {
      previous = rider;
      return false;
    }
    latE7 = (int) Math.rint(view.lat() * E7);
    lonE7 = (int) Math.rint(view.lon() * E7);
    unsettled = true;
    previous = rider;
    return true;
  }

  private int meet(
      int hash, byte[] bytes, int offset, int length, long arrivedMillis, long sequence) {
    int place = events.add(bytes, offset, length, 0);
    int number = freed;
    if (number == RiderTable.NONE) {
      number = numbers;
      columns.reach(number);
    } else {
      freed = columns.place(number);
    }
    columns.place(number, place);
    columns.arrivedMillis(number, arrivedMillis);
    columns.sequence(number, sequence);
    numbers = Math.max(numbers, number + 1);
    byRider.add(hash, number);
    met.incrementAndGet();
    return number;
  }

  /** Replaces the position, unless the new one is older, or was taken before. */
  private boolean update(
      int rider, byte[] bytes, int offset, int length, long arrivedMillis, long sequence) {
    int old = columns.place(rider);
    if (view.at() < EncodedPosition.at(events.pageInUse(old), event(old))
        || sequence <= columns.sequence(rider)) {
      return false;
    }
    boolean isInPlace = events.fits(old, length);
    int place = isInPlace ? old : events.add(bytes, offset, length, SLACK);
    old = columns.place(rider); // adding may have moved it
    columns.sequence(rider, WRITING);
    VarHandle.storeStoreFence();
    if (isInPlace) {
      events.overwrite(place, bytes, offset, length);
    } else {
      columns.place(rider, place);
    }
    columns.arrivedMillis(rider, arrivedMillis);
    columns.sequence(rider, sequence);
    if (!isInPlace) {
      events.free(old);
    }
    return true;
  }

  /** Makes room for so many riders at once, before the first. */
  void reserve(int riders) {
    byRider.reserve(Math.clamp(riders, 0, ridersMax));
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
    if (unsettled) {
      index.move(previous, latE7, lonE7);
      changes.add(columns.sequence(previous), previous);
      unsettled = false;
    }
  }

  /**
   * Copies a rider's latest position.
   *
   * @return the rider's number; {@link RiderTable#NONE} if there is no position
   */
  int find(RiderKey rider, PositionCopy into) {
    return byRider.find(rider.hashCode(), number -> copy(number, into) && into.isOf(rider));
  }

  /**
   * Copies the latest position of whoever has a number; {@link PositionCopy#sequence} tells which.
   *
   * @return false if nobody has it
   */
  boolean copy(int number, PositionCopy into) {
    for (int attempt = 0; ; attempt++) {
      long sequence = columns.sequence(number);
      if (sequence == RiderColumns.FORGOTTEN) {
        return false;
      }
      long reuses = events.reuses();
      int place = columns.place(number);
      byte[] page = events.page(place);
      boolean isCopied =
          sequence != WRITING && page != null && into.attempt(page, EventPages.offset(place));
      long arrivedMillis = columns.arrivedMillis(number);
      VarHandle.loadLoadFence();
      if (isCopied && columns.sequence(number) == sequence && events.reuses() == reuses) {
        into.keep(sequence, arrivedMillis);
        return true;
      }
      if (attempt < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE_NANOS); // the writer is not on a processor
      }
    }
  }

  /** The sequence of a number's position; above all others when it has none at the moment. */
  long sequence(int number) {
    return columns.sequence(number);
  }

  /** All numbers that were ever given are below this. */
  int numbers() {
    return numbers;
  }

  GeoIndex index() {
    return index;
  }

  ChangeRing changes() {
    return changes;
  }

  /** The sequence up to which readers find every position here. */
  long through() {
    return through;
  }

  /** How often a new rider was added. */
  long met() {
    return met.get();
  }

  /** Raised before a number is given to another rider. */
  long forgets() {
    return forgets.get();
  }

  int size() {
    return byRider.size();
  }

  /** The highest sequence of any rider; 0 if there is none. For the thread that changes it. */
  long newest() {
    return columns.newest(numbers);
  }

  /** How many positions of riders beyond the limit were dropped since the start. */
  long turnedAway() {
    return turnedAway.sum();
  }

  /**
   * Removes riders whose last position arrived before a time, in epoch ms; not too many at once.
   * Returns whether all of them have been removed.
   */
  boolean forgetBefore(long millis) {
    settle();
    previous = RiderTable.NONE;
    int all = numbers;
    int count = 0;
    int number = columns.nextArrivedBefore(millis, 0, all);
    while (number < all && count < FORGOTTEN_AT_ONCE) {
      forget(number);
      count++;
      number = columns.nextArrivedBefore(millis, number + 1, all);
    }
    if (count > 0) {
      forgets.incrementAndGet();
    }
    return number == all;
  }

  /** Removes a rider; false if there is none. */
  boolean forget(RiderKey rider) {
    settle();
    previous = RiderTable.NONE;
    int number = find(rider, new PositionCopy());
    if (number != RiderTable.NONE) {
      forget(number);
      forgets.incrementAndGet();
    }
    return number != RiderTable.NONE;
  }

  /** Removes all riders. */
  void clear() {
    while (!forgetBefore(Long.MAX_VALUE)) {
      previous = RiderTable.NONE;
    }
  }

  private void forget(int number) {
    int place = columns.place(number);
    byRider.remove(hashOf(number), number);
    columns.sequence(number, RiderColumns.FORGOTTEN);
    columns.neverArrives(number);
    index.remove(number);
    columns.place(number, freed);
    freed = number;
    events.free(place);
  }

  /**
   * Gives every rider a new sequence, the highest of them the given one. For positions that were
   * saved without sequences.
   */
  void renumber(long sequence) {
    long next = sequence - byRider.size();
    for (int number = 0; number < numbers; number++) {
      if (columns.sequence(number) != RiderColumns.FORGOTTEN) {
        columns.sequence(number, ++next);
      }
    }
  }

  /**
   * Starts the order of changes: everything up to a sequence is known; later positions are changes.
   */
  void begin(long sequence) {
    settle(sequence);
    changes.restart(sequence);
  }

  /** Moves an event to the end of the pages, if it is in use. */
  private void move(int place, byte[] page, int offset, int length) {
    int rider = EncodedPosition.riderOffset(page, offset);
    wanted(page, rider, EncodedPosition.riderLength(page, offset));
    int number = byRider.find(SeededHash.of(page, rider, wantedLength), isWanted);
    if (number != RiderTable.NONE && columns.place(number) == place) {
      columns.place(number, events.add(page, offset, length, 0));
      events.free(place);
    }
  }

  private void wanted(byte[] bytes, int offset, int length) {
    wanted = bytes;
    wantedOffset = offset;
    wantedLength = length;
  }

  private boolean isWanted(int number) {
    int place = columns.place(number);
    byte[] page = events.pageInUse(place);
    int rider = EncodedPosition.riderOffset(page, event(place));
    return EncodedPosition.riderLength(page, event(place)) == wantedLength
        && Arrays.equals(
            page, rider, rider + wantedLength, wanted, wantedOffset, wantedOffset + wantedLength);
  }

  private int hashOf(int number) {
    int place = columns.place(number);
    byte[] page = events.pageInUse(place);
    return SeededHash.of(
        page,
        EncodedPosition.riderOffset(page, event(place)),
        EncodedPosition.riderLength(page, event(place)));
  }

  private static int event(int place) {
    return EventPages.offset(place) + EventPages.HEADER_BYTES;
  }
}
