package gilmok.log;

import gilmok.background.BackgroundLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How a follower gets past records that nobody can process: takes one after the other, and finds
 * out whether it is the record that fails, or all of them would.
 *
 * <ul>
 *   <li>An {@link IOException} is an outage and nobody's fault: it is waited for. What is thrown
 *       besides makes the record a suspect.
 *   <li>Suspects are passed over when right after them another record is processed; {@link
 *       #SUSPECTS_MAX} of them at most, so that no outage of some seconds is taken for them.
 *   <li>When more fail in a row, any later record is looked for that can be processed, the witness,
 *       however far that is. Then all is taken again from the first suspect on, and the witness is
 *       processed once more after each {@link #SUSPECTS_MAX} that fail. So all that can be
 *       processed is, however many cannot; and what failed for a while and works again is not
 *       passed over.
 *   <li>When nothing up to the log's end can be processed, nothing is passed over and the position
 *       stays. At each pass only what came new is tried, as the witness; and all of it after pauses
 *       that grow, and of which trying takes a small part.
 * </ul>
 *
 * <p>A witness is given to the taker before its turn, and again in its turn.
 *
 * <p>Belongs to the follower's thread.
 */
final class PoisonRecordSearch {
  /** So many that fail one after the other may be no matter of records. */
  static final int SUSPECTS_MAX = 8;

  private static final long RETRY_NANOS_MIN = 250_000_000L;

  /** The longest pause before all that fails is tried again, if trying takes no time. */
  private static final long RETRY_NANOS_MAX = 8_000_000_000L;

  /** Trying again what fails takes less than one part in so many of the time. */
  private static final long RETRY_SHARE = 16;

  private final Log log;
  private final Taker taker;
  private final BackgroundLoop loop;
  private final FollowerCursor position;
  private final Cursor cursor;

  /** Up to there records are taken one by one: among them is one that failed. */
  private long through;

  /** Those that failed since the last one that was settled; bounded. */
  private final List<Suspect> suspects = new ArrayList<>();

  /** Whether the suspects are left behind, to find a witness. */
  private boolean isSearching;

  /** A record behind the suspects that was settled; 0: none is known. */
  private long witness;

  /** Since when all from the position on is tried. */
  private long triedNanos;

  /** When all is tried again, as it failed up to the log's end; 0: it has not. */
  private long retryNanos;

  private long retryPauseNanos = RETRY_NANOS_MIN;

  /** Who processes records, one or several at once. */
  interface Taker {
    /** Looks at the record where the reader stands; whether it is to be settled. */
    boolean take(LogReader record);

    /**
     * Does what was taken and is not done yet.
     *
     * @throws IOException when it cannot be done now: this is called again, until it can
     */
    void settle() throws IOException, InterruptedException;

    /** Forgets what was taken and not settled: it is read again, or let go. */
    void drop();
  }

  private record Suspect(long sequence, Throwable why) {}

  /** What became of one record. */
  private sealed interface Outcome {
    /** It was processed. */
    record Settled() implements Outcome {}

    /** Nobody wants it, which shows nothing. */
    record Unwanted() implements Outcome {}

    /** It was not processed, and that is no outage. */
    record Failed(Throwable why) implements Outcome {}
  }

  private static final Outcome SETTLED = new Outcome.Settled();
  private static final Outcome UNWANTED = new Outcome.Unwanted();

  PoisonRecordSearch(
      Log log, Taker taker, BackgroundLoop loop, FollowerCursor position, Cursor cursor) {
    this.log = log;
    this.taker = taker;
    this.loop = loop;
    this.position = position;
    this.cursor = cursor;
  }

  /** Whether there still are records to be taken one by one. */
  boolean isDue() {
    return through > position.position();
  }

  /** Something that was read and not settled has failed. */
  void begin() {
    through = Math.max(position.read(), position.position() + 1);
    again(position.position());
  }

  /** Begins behind that sequence again, with nothing taken. */
  void again(long behind) {
    taker.drop();
    suspects.clear();
    isSearching = false;
    witness = 0;
    retryNanos = 0;
    triedNanos = System.nanoTime();
    position.again(behind);
  }

  /**
   * Takes and settles one record after the other, until those that fail are behind or that time has
   * come; whether the log's end was reached.
   *
   * @throws IllegalStateException when nothing up to the log's end can be processed
   */
  boolean pass(long untilNanos) throws IOException, InterruptedException {
    long before = position.position();
    try {
      while (isDue() && !isToLeave()) {
        if (isSearching || (suspects.size() == SUSPECTS_MAX && !isProved())) {
          search();
        } else if (position.next()) {
          settleOne();
        } else if (suspects.isEmpty()) {
          position.settled();
          return true;
        } else {
          search();
        }
        // Only then: a pass that ends in order says that its work is done again.
        if (position.position() > before && System.nanoTime() - untilNanos >= 0) {
          break;
        }
      }
      return false;
    } catch (IOException | InterruptedException notNow) {
      if (!isSearching && !suspects.isEmpty()) {
        // They may have failed as the store was going away.
        again(position.position());
      }
      throw notNow;
    }
  }

  /** Whether there is something else to do first: it stops, or the full log was let go of. */
  private boolean isToLeave() {
    return loop.isStopping() || cursor.sequence() > position.position();
  }

  private void settleOne() throws IOException, InterruptedException {
    switch (attempt(position.record())) {
      case Outcome.Settled _ -> passOverSuspects();
      case Outcome.Failed failed -> {
        suspects.add(new Suspect(position.read(), failed.why));
        if (position.read() == witness) {
          witness = 0;
        }
      }
      case Outcome.Unwanted _ -> {}
    }
    if (suspects.isEmpty()) {
      moved();
    }
  }

  /** Takes and settles the record where that reader stands. */
  private Outcome attempt(LogReader record) throws IOException, InterruptedException {
    try {
      boolean isWanted = taker.take(record);
      taker.settle();
      return isWanted ? SETTLED : UNWANTED;
    } catch (IOException | InterruptedException notNow) {
      taker.drop();
      position.stepBack();
      throw notNow;
    } catch (RuntimeException | Error bug) {
      taker.drop();
      return new Outcome.Failed(bug);
    }
  }

  /** Passes over the suspects if the witness can be processed still; else there is none. */
  private boolean isProved() throws IOException, InterruptedException {
    if (witness > 0) {
      try (LogReader record = log.reader(witness)) {
        if (record.next() && attempt(record) instanceof Outcome.Settled) {
          passOverSuspects();
          moved();
          return true;
        }
      }
      witness = 0;
    }
    return false;
  }

  /** Looks for a record further on that can be processed, and begins again with it as witness. */
  private void search() throws IOException, InterruptedException {
    isSearching = true;
    while (!isToLeave()) {
      if (!position.next()) {
        hold();
        return;
      }
      if (attempt(position.record()) instanceof Outcome.Settled) {
        long found = position.read();
        again(position.position());
        witness = found;
        through = Math.max(through, found);
        return;
      }
    }
  }

  /** Nothing up to the log's end can be processed: all is tried again later. */
  private void hold() {
    long now = System.nanoTime();
    if (retryNanos == 0) {
      retryNanos = now + Math.max(retryPauseNanos, RETRY_SHARE * (now - triedNanos));
      retryPauseNanos = Math.min(2 * retryPauseNanos, RETRY_NANOS_MAX);
    } else if (now - retryNanos >= 0) {
      again(position.position());
      return;
    }
    Suspect first = suspects.getFirst();
    throw new IllegalStateException(
        name(first) + " and all behind it cannot be processed: " + first.why, first.why);
  }

  private void passOverSuspects() {
    for (Suspect suspect : suspects) {
      loop.skipped(name(suspect), suspect.why);
    }
    suspects.clear();
  }

  private String name(Suspect suspect) {
    return "record " + log.node() + ":" + suspect.sequence;
  }

  /** All that was read is settled, or passed over. */
  private void moved() {
    position.settled();
    retryPauseNanos = RETRY_NANOS_MIN;
  }
}
