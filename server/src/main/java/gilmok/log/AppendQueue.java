package gilmok.log;

import java.time.InstantSource;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where appends wait for the writer. It alone decides whether an append is accepted: an accepted
 * one has its sequences, is in the deduplication table and has room in a segment, so nothing has to
 * be undone later. Thread-safe by one lock, held for a copy and a few lookups.
 */
final class AppendQueue {
  /** So many appends are committed without waiting for more: one commit for all gains no more. */
  static final int CROWD_TICKETS = 128;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final LogConfig config;
  private final DedupTable dedupTable;
  private final InstantSource clock;
  private final long intervalNanos;

  private CommitGroup gathering;
  private @Nullable CommitGroup spare;
  private long nextSequence;
  private long activeLeft;
  private boolean nextSegmentReady;
  private boolean writerWaits;
  private boolean writerGathers;

  /** The next group is taken not before this time, by {@link System#nanoTime}. */
  private long fromNanos = System.nanoTime();

  private boolean closed;

  private volatile int queueBytes;
  private volatile boolean lacksRoom;

  AppendQueue(
      LogConfig config,
      DedupTable dedupTable,
      InstantSource clock,
      long nextSequence,
      long sizeLeft) {
    this.config = config;
    this.intervalNanos = config.commitInterval().toNanos();
    this.dedupTable = dedupTable;
    this.clock = clock;
    this.nextSequence = nextSequence;
    this.activeLeft = sizeLeft - SegmentFooter.BYTES_MAX;
    this.gathering = new CommitGroup(config.groupBytesMax());
    this.spare = new CommitGroup(config.groupBytesMax());
  }

  AppendResult append(AppendBatch batch, AppendCompletion completion) {
    if (batch.size() > config.groupBytesMax()) {
      return AppendResult.TOO_LARGE;
    }
    batch.touched(dedupTable.touch(batch));
    lock.lock();
    try {
      if (closed) {
        return AppendResult.CLOSED;
      }
      if (gathering.ticketCount() == config.groupTicketsMax()
          || gathering.payloadSize() + batch.size() > config.groupBytesMax()) {
        return AppendResult.BUSY;
      }
      if (gathering.payloadSize() + batch.size() > room()) {
        lacksRoom = true;
        return AppendResult.FULL;
      }
      take(batch, completion);
      return AppendResult.TAKEN;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a group to write. Called by the writer only, which returns each group by {@link
   * #recycle} before it takes the next.
   *
   * <p>While appends come one at a time, each is taken at once. After a group of several, the next
   * is taken {@link LogConfig#commitInterval} after it. The writer then sleeps until a time, not
   * until an append, so that an append wakes nobody and those that follow it share its commit.
   *
   * @return null when the queue is closed and empty
   */
  @Nullable CommitGroup take() throws InterruptedException {
    lock.lock();
    try {
      while (gathering.isEmpty()) {
        if (closed) {
          return null;
        }
        writerWaits = true;
        arrived.await();
        writerWaits = false;
      }
      long left = fromNanos - System.nanoTime();
      while (left > 0 && !isCrowd() && !closed) {
        writerGathers = true;
        left = arrived.awaitNanos(left);
        writerGathers = false;
      }
      fromNanos = System.nanoTime() + (gathering.ticketCount() > 1 ? intervalNanos : 0);
      CommitGroup taken = gathering;
      if (spare == null) {
        throw new IllegalStateException("the last group was not handed back");
      }
      gathering = spare;
      spare = null;
      queueBytes = 0;
      place(taken);
      return taken;
    } finally {
      lock.unlock();
    }
  }

  void recycle(CommitGroup written) {
    written.clear();
    lock.lock();
    try {
      spare = written;
    } finally {
      lock.unlock();
    }
  }

  /** The next segment has been made ready. */
  void nextSegmentReady() {
    lock.lock();
    try {
      nextSegmentReady = true;
      lacksRoom = false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes the next group begin a segment, even if it has no record; that ends the present one.
   *
   * @param completion called when it was ended
   * @return false when the next segment is not ready, or nothing is taken any more
   */
  boolean endSegment(AppendCompletion completion) {
    lock.lock();
    try {
      if (closed || !nextSegmentReady || gathering.ticketCount() == config.groupTicketsMax()) {
        return false;
      }
      if (gathering.isEmpty()) {
        gathering.begin(nextSequence, System.nanoTime());
      }
      gathering.startsSegment();
      gathering.await(completion);
      completion.stored(0, 0, nextSequence - 1);
      arrived.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing is taken any more: the log was closed, or has failed. */
  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  boolean isNextSegmentReady() {
    lock.lock();
    try {
      return nextSegmentReady;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether an append was refused for want of the next segment, and that segment is still not
   * ready.
   */
  boolean lacksRoom() {
    return lacksRoom;
  }

  int queueBytes() {
    return queueBytes;
  }

  /** Runs {@code question} on the deduplication table, under the lock. */
  <T> T withRepeats(Function<DedupTable, T> question) {
    lock.lock();
    try {
      return question.apply(dedupTable);
    } finally {
      lock.unlock();
    }
  }

  /** The last sequence assigned, and the number of keys inserted up to then. */
  record Point(long sequence, long inserted) {}

  Point point() {
    lock.lock();
    try {
      return new Point(nextSequence - 1, dedupTable.inserted());
    } finally {
      lock.unlock();
    }
  }

  private void take(AppendBatch batch, AppendCompletion completion) {
    if (gathering.isEmpty()) {
      gathering.begin(nextSequence, System.nanoTime());
    }
    markRepeats(batch);
    int stored = batch.count() - batch.repeatCount();
    gathering.take(batch);
    gathering.await(completion);
    long first = nextSequence;
    nextSequence += stored;
    completion.stored(stored == 0 ? 0 : first, stored, nextSequence - 1);
    queueBytes = gathering.payloadSize();
    if (writerWaits || (writerGathers && isCrowd())) {
      writerWaits = false;
      writerGathers = false;
      arrived.signal();
    }
  }

  private boolean isCrowd() {
    return gathering.ticketCount() >= Math.min(CROWD_TICKETS, config.groupTicketsMax())
        || gathering.payloadSize() >= config.groupBytesMax() / 8;
  }

  private void markRepeats(AppendBatch batch) {
    batch.forgetRepeats();
    long now = clock.millis();
    for (int i = 0; i < batch.count(); i++) {
      if (!dedupTable.add(batch.high(i), batch.low(i), now)) {
        batch.markRepeat(i);
      }
    }
  }

  /** How many bytes of records the group being gathered may have to fit into a segment. */
  private long room() {
    return nextSegmentReady
        ? config.groupBytesMax()
        : Math.min(config.groupBytesMax(), activeLeft - BatchFormat.HEADER_BYTES);
  }

  private void place(CommitGroup group) {
    if (group.count() == 0 && !group.rolls()) {
      return;
    }
    if (group.rolls() || group.size() > activeLeft) {
      if (!nextSegmentReady) {
        throw new IllegalStateException("a group without a segment to go to");
      }
      nextSegmentReady = false;
      activeLeft =
          (long) config.segmentBytes() - SegmentFormat.HEADER_BYTES - 2 * SegmentFooter.BYTES_MAX;
      group.startsSegment();
    }
    activeLeft -= group.size();
  }
}
