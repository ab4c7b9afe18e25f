package gilmok.privacy;

import gilmok.event.EventHead;
import gilmok.log.CommitListener;
import gilmok.log.CommittedRecords;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts in memory what is collected, as it is committed. It is told of each group of the log
 * ({@link #committed}) while it is <em>live</em>. It is not at the beginning, and not any more once
 * it is full; what it was not told of is read from the log then ({@link #read}), until it has
 * everything and is live again ({@link #goLive}).
 *
 * <p>Riders are in {@link #PARTS} parts, which are taken and written one by one. Which part a rider
 * is in is the same in every process, as the documents say through which sequence each part is
 * written.
 *
 * <p>Thread-safe. Nothing here waits for a disk.
 */
final class CollectedTable implements CommitListener {
  /** A power of two: of a million riders, a part has some thousand counts. */
  static final int PARTS = 256;

  private static final int PART_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(PARTS);

  /** An odd number near 2^64 divided by the golden ratio; it must never change. */
  private static final long PART_MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final ConsentView consents;
  private final CollectedKinds kinds;
  private final int sizeMax;
  private final CollectedCounts[] parts = new CollectedCounts[PARTS];
  private final byte[] rider = new byte[EventHead.RIDER_ROOM];
  private volatile int size;
  private volatile long counted;
  private volatile boolean isLive;

  /** Why a group was counted in part only; null if none was. */
  private volatile @Nullable Throwable spoilt;

  /** Counts of some parts, with the sequence through which they count. */
  record Taken(List<Part> parts, long through) {}

  /** The counts of a part. */
  record Part(int number, CollectedCounts counts) {}

  /**
   * An empty one.
   *
   * @param sizeMax with so many counts it is full; one group more may get in
   */
  CollectedTable(ConsentView consents, CollectedKinds kinds, int sizeMax) {
    this.consents = consents;
    this.kinds = kinds;
    this.sizeMax = sizeMax;
    clear();
  }

  private void clear() {
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new CollectedCounts();
    }
    size = 0;
  }

  /** How many counts it has. */
  int size() {
    return size;
  }

  /** With how many counts it is full. */
  int sizeMax() {
    return sizeMax;
  }

  /** Whether counts must be taken before it counts more. */
  boolean isFull() {
    return size >= sizeMax;
  }

  /** Everything up to this sequence was counted, or is to be counted by nobody. */
  long counted() {
    return counted;
  }

  /** Whether it counts what is committed. */
  boolean isLive() {
    return isLive;
  }

  /** Why what it has counted is wrong, so that it must begin anew; null if it is right. */
  @Nullable Throwable spoilt() {
    return spoilt;
  }

  /** Begins anew behind a sequence. */
  synchronized void begin(long through) {
    isLive = false;
    spoilt = null;
    clear();
    counted = through;
  }

  /** It counts what is committed from now on, if it has all that is durable. */
  synchronized boolean goLive(LongSupplier durable) {
    isLive = true; // first, so that a group that is durable a moment later is told
    isLive = counted >= durable.getAsLong();
    return isLive;
  }

  /**
   * Counts a record of the log, the next one behind {@link #counted}.
   *
   * @param marks of each part, through which sequence it is written already
   */
  synchronized void read(LogReader record, IntToLongFunction marks) {
    counted = record.sequence();
    Stream stream = record.stream();
    if (!CollectedKinds.has(stream)) {
      return;
    }
    byte[] bytes = record.bytes();
    if (!EventHead.hasPlace(bytes, record.offset())) {
      return;
    }
    int length = EventHead.riderLength(bytes, record.offset());
    System.arraycopy(bytes, EventHead.riderOffset(bytes, record.offset()), rider, 0, length);
    if (counted > marks.applyAsLong(part(rider, length))) {
      add(stream, length, record.receivedAtMillis(), 1);
    }
  }

  /** Everything up to that sequence was read: there may be no record behind the last one. */
  synchronized void passed(long sequence) {
    counted = Math.max(counted, sequence);
  }

  /** Counts what is committed. What one rider sends at once is looked up once. */
  @Override
  public void committed(CommittedRecords records) {
    if (isLive) {
      try {
        count(records);
      } catch (RuntimeException | Error bug) {
        isLive = false;
        spoilt = bug;
      }
    }
  }

  private synchronized void count(CommittedRecords records) {
    long last = records.last();
    if (!isLive || last <= counted) {
      return;
    }
    ByteBuffer bytes = records.bytes();
    long receivedAtMillis = records.receivedAtMillis();
    Stream stream = Stream.LOGS;
    int rider = 0;
    int length = 0;
    int run = 0;
    while (records.next()) {
      int at = records.offset();
      long head = CollectedKinds.has(records.stream()) ? EventHead.of(bytes, at) : 0;
      if (!EventHead.hasPlace(head)) {
        continue;
      }
      int thisRider = EventHead.riderOffset(head, at);
      int thisLength = EventHead.riderLength(head);
      if (run == 0
          || thisLength != length
          || records.stream() != stream
          || !EventHead.isSame(bytes, rider, thisRider, length)) {
        addRun(stream, bytes, rider, length, receivedAtMillis, run);
        stream = records.stream();
        rider = thisRider;
        length = thisLength;
        run = 0;
      }
      run++;
    }
    addRun(stream, bytes, rider, length, receivedAtMillis, run);
    counted = last;
    isLive = size < sizeMax;
  }

  private void addRun(
      Stream stream, ByteBuffer bytes, int at, int length, long receivedAtMillis, int run) {
    if (run > 0) {
      EventHead.copyRider(bytes, at, length, rider);
      add(stream, length, receivedAtMillis, run);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  private void add(Stream stream, int length, long receivedAtMillis, int count) {
    int kind = kinds.of(stream, receivedAtMillis, consents.code(rider, 0, length));
    if (parts[part(rider, length)].add(kind, rider, length, receivedAtMillis, count)) {
      size++;
    }
  }

  /** By multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, 6.4). */
  private static int part(byte[] utf8, int length) {
    long hash = length;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ (utf8[i] & 0xff)) * PART_MULTIPLIER;
    }
    return (int) (hash >>> PART_SHIFT);
  }

  /** The part that a rider is in. */
  static int partOf(String riderId) {
    byte[] utf8 = riderId.getBytes(StandardCharsets.UTF_8);
    return part(utf8, utf8.length);
  }

  /**
   * Takes the counts of parts, as many as have some rows together, and leaves these empty.
   *
   * @param from the first of them
   * @param to the last of them at most, excluded
   * @param enough how many rows are enough
   */
  synchronized Taken take(int from, int to, int enough) {
    List<Part> taken = new ArrayList<>();
    int rows = 0;
    for (int i = from; i < to && rows < enough; i++) {
      taken.add(new Part(i, parts[i]));
      rows += parts[i].size();
      parts[i] = new CollectedCounts();
    }
    size -= rows;
    return new Taken(taken, counted);
  }

  /** Whether any of these parts, the last one excluded, has a count. */
  synchronized boolean hasAny(int from, int to) {
    return Arrays.stream(parts, from, to).anyMatch(part -> part.size() > 0);
  }
}
