package gilmok.log;

import gilmok.background.BackgroundLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds a follower's way past poison records: takes one record after the other, and finds out
 * whether that record fails or all of them would.
 *
 * <ul>
 *   <li>An {@link IOException} is an outage: the record is retried until it succeeds. Any other
 *       throwable makes the record a suspect.
 *   <li>Suspects are skipped when another record is processed right after them; at most {@link
 *       #SUSPECTS_MAX} of them, so that an outage of some seconds is not taken for poison records.
 *   <li>When more fail in a row, the search looks further on, however far, for a record that can be
 *       processed: the witness. Then all is taken again from the first suspect on, and the witness
 *       is processed once more after each {@link #SUSPECTS_MAX} that fail. So every record that can
 *       be processed is, however many cannot; and records that failed for a while and work again
 *       are not skipped.
 *   <li>When no record up to the log's end can be processed, none is skipped and the position
 *       stays. Each pass then tries only new records, as the witness. All of them are tried again
 *       after pauses that grow, so that trying takes a small part of the time.
 * </ul>
 *
 * <p>A witness is given to the taker before its turn, and again in its turn.
 *
 * <p>Owned by the follower's thread.
 */
final class PoisonRecordSearch {
  /** More failures in a row than this may have another cause than the records. */
  static final int SUSPECTS_MAX = 8;

  private static final long RETRY_NANOS_MIN = 250_000_000L;

  /** The longest pause before all failing records are tried again, if trying takes no time. */
  private static final long RETRY_NANOS_MAX = 8_000_000_000L;

  /** Retries of failing records take less than one part in this many of the time. */
  private static final long RETRY_SHARE = 16;

  private final Log log;
  private final Taker taker;
  private final BackgroundLoop loop;
  private final FollowerCursor position;
  private final Cursor cursor;

  /** Records up to this sequence are taken one by one, because one of them failed. */
  private long through;

  /** The records that failed since the last one that was settled; bounded. */
  private final List<Suspect> suspects = new ArrayList<>();

  /** Whether the search is past the suspects, looking for a witness. */
  private boolean isSearching;

  /** The sequence of a record behind the suspects that was settled; 0 if none is known. */
  private long witness;

  /** When trying all records from the position on began. */
  private long triedNanos;

  /** When all records are tried again, after all failed up to the log's end; 0 if they have not. */
  private long retryNanos;

  private long retryPauseNanos = RETRY_NANOS_MIN;

  /** Processes records, one or several at once. */
  interface Taker {
    /** Takes the reader's present record; returns whether it has to be settled. */
    boolean take(LogReader record);

    /**
     * Processes the records that were taken and not settled yet.
     *
     * @throws IOException on an outage: this is called again until it succeeds
     */
    void settle() throws IOException, InterruptedException;

    /** Discards the records that were taken and not settled: they are read again, or given up. */
    void drop();
  }

  private record Suspect(long sequence, Throwable why) {}

  /** The result of one attempt at a record. */
  private sealed interface Outcome {
    /** It was processed. */
    record Settled() implements Outcome {}

    /** The taker does not take it, which proves nothing. */
    record Unwanted() implements Outcome {}

    /** It was not processed, and the cause is no outage. */
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

  /** Whether there are records left to take one by one. */
  boolean isDue() {
    return through > position.position();
  }

  /** Begins a search: a record that was read and not settled has failed. */
  void begin() {
    through = Math.max(position.read(), position.position() + 1);
    again(position.position());
  }

  /** Begins again after {@code behind}, with nothing taken. */
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
   * Takes and settles one record after the other, until the failing ones are behind or {@code
   * untilNanos} has come; returns whether the log's end was reached.
   *
   * @throws IllegalStateException when no record up to the log's end can be processed
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
        // Only after progress: a pass that returns normally reports that its work succeeds again.
        if (position.position() > before && System.nanoTime() - untilNanos >= 0) {
          break;
        }
      }
      return false;
    } catch (IOException | InterruptedException notNow) {
      if (!isSearching && !suspects.isEmpty()) {
        // They may have failed because the store was about to fail.
        again(position.position());
      }
      throw notNow;
    }
  }

  /** Whether the search has to end early: the follower stops, or the full log gave up records. */
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

  /** Takes and settles the reader's present record. */
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

  /** Skips the suspects if the witness can still be processed; else drops the witness. */
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

  /** Looks further on for a record that can be processed, and begins again with it as witness. */
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

  /** No record up to the log's end can be processed: schedules the next attempt at all of them. */
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

  /** Marks everything that was read as settled or skipped. */
  private void moved() {
    position.settled();
    retryPauseNanos = RETRY_NANOS_MIN;
  }
}
