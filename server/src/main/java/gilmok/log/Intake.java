package gilmok.log;

import java.time.InstantSource;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where drafts are put down for the writer to pick up. It alone decides who is let in: what it
 * takes has its sequences, is in the table of repeats and is certain to find room in a segment, so
 * that nothing has to be taken back later. Thread-safe by one lock, held for a copy and a few
 * lookups.
 */
final class Intake {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final LogConfig config;
  private final Repeats repeats;
  private final InstantSource clock;

  private Group gathering;
  private @Nullable Group spare;
  private long nextSequence;
  private long activeLeft;
  private boolean nextSegmentReady;
  private boolean writerWaits;
  private boolean closed;

  private volatile int queueBytes;
  private volatile boolean lacksRoom;

  Intake(LogConfig config, Repeats repeats, InstantSource clock, long nextSequence, long sizeLeft) {
    this.config = config;
    this.repeats = repeats;
    this.clock = clock;
    this.nextSequence = nextSequence;
    this.activeLeft = sizeLeft - Footer.BYTES;
    this.gathering = new Group(config.groupBytesMax());
    this.spare = new Group(config.groupBytesMax());
  }

  Admission append(Draft draft, Ticket ticket) {
    if (draft.size() > config.groupBytesMax()) {
      return Admission.TOO_LARGE;
    }
    draft.touched(repeats.touch(draft));
    lock.lock();
    try {
      if (closed) {
        return Admission.CLOSED;
      }
      if (gathering.ticketCount() == config.groupTicketsMax()
          || gathering.payloadSize() + draft.size() > config.groupBytesMax()) {
        return Admission.BUSY;
      }
      if (gathering.payloadSize() + draft.size() > room()) {
        lacksRoom = true;
        return Admission.FULL;
      }
      take(draft, ticket);
      return Admission.TAKEN;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for something to write. Called by the writer only, which hands the group back by {@link
   * #recycle} before it asks again.
   *
   * @return null when the intake is closed and empty
   */
  @Nullable Group take() throws InterruptedException {
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
      Group taken = gathering;
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

  void recycle(Group written) {
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

  void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signal();
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

  /** Whether an append was refused because the next segment is not ready, and it still is not. */
  boolean lacksRoom() {
    return lacksRoom;
  }

  int queueBytes() {
    return queueBytes;
  }

  /** Runs something that looks into the table of repeats. */
  <T> T withRepeats(Function<Repeats, T> question) {
    lock.lock();
    try {
      return question.apply(repeats);
    } finally {
      lock.unlock();
    }
  }

  /** The last sequence given out, and how many keys had been added when it was. */
  record Point(long sequence, long inserted) {}

  Point point() {
    lock.lock();
    try {
      return new Point(nextSequence - 1, repeats.inserted());
    } finally {
      lock.unlock();
    }
  }

  private void take(Draft draft, Ticket ticket) {
    if (gathering.isEmpty()) {
      gathering.begin(nextSequence, System.nanoTime());
    }
    markRepeats(draft);
    int stored = draft.count() - draft.repeatCount();
    gathering.take(draft);
    gathering.await(ticket);
    ticket.stored(stored == 0 ? 0 : nextSequence, stored);
    nextSequence += stored;
    queueBytes = gathering.payloadSize();
    if (writerWaits) {
      writerWaits = false;
      arrived.signal();
    }
  }

  private void markRepeats(Draft draft) {
    draft.forgetRepeats();
    long now = clock.millis();
    for (int i = 0; i < draft.count(); i++) {
      if (!repeats.add(draft.high(i), draft.low(i), now)) {
        draft.markRepeat(i);
      }
    }
  }

  /** How many bytes of records the group being gathered may have, so that a segment can take it. */
  private long room() {
    return nextSegmentReady
        ? config.groupBytesMax()
        : Math.min(config.groupBytesMax(), activeLeft - BatchFormat.HEADER_BYTES);
  }

  private void place(Group group) {
    if (group.count() == 0) {
      return;
    }
    if (group.size() > activeLeft) {
      if (!nextSegmentReady) {
        throw new IllegalStateException("a group without a segment to go to");
      }
      nextSegmentReady = false;
      activeLeft = (long) config.segmentBytes() - SegmentFormat.HEADER_BYTES - 2 * Footer.BYTES;
      group.startsSegment();
    }
    activeLeft -= group.size();
  }
}
