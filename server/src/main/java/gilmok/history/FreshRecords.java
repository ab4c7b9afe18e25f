package gilmok.history;

import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.LogScan;
import gilmok.log.Stream;
import java.io.IOException;

/**
 * The records of a stream that a question finds in the log: what the files do not have for sure,
 * and what came at a time at which it can matter. They can be read again and again. Not
 * thread-safe: one thread at a time has the question.
 */
final class FreshRecords {
  private static final int CHECK_RECORDS = 4096;

  /** To find where a time begins takes as long as to read so many records. */
  private static final int SEARCHED_RECORDS_MIN = 200_000;

  private final Log log;
  private final Stream stream;
  private final long from;
  private final long through;
  private final long oldest;
  private final QuestionTime time;
  private final QuestionCounts counts;

  /** Takes a record. */
  @FunctionalInterface
  interface Taker {
    /** The record that the reader is at. */
    void take(LogReader reader);
  }

  /**
   * Finds out which they are; reads none of them.
   *
   * @param settled all up to this sequence is in files; read it before they are listed, so that
   *     nothing falls between; 0 without files
   */
  FreshRecords(
      Log log,
      Stream stream,
      TimeSpan span,
      long settled,
      long nowMillis,
      QuestionTime time,
      QuestionCounts counts)
      throws IOException {
    this.log = log;
    this.stream = stream;
    this.time = time;
    this.counts = counts;
    oldest = log.oldestSequence();
    long first = settled + 1;
    long last = log.durable();
    if (last - first > SEARCHED_RECORDS_MIN) {
      first = Math.max(first, log.sequenceAt(Math.max(0, span.receivedFromMillis())));
      if (span.receivedUntilMillis() <= nowMillis) {
        last = Math.min(last, log.sequenceAt(span.receivedUntilMillis()) - 1);
      }
    }
    from = first > last ? first : log.firstOf(stream, first);
    through = last;
  }

  /**
   * Reads them.
   *
   * @throws IOException also when the log has deleted some since the question began: they may be in
   *     files by now that it does not know
   */
  void read(Taker taker) throws IOException, InterruptedException {
    long[] records = {0};
    time.check();
    new LogScan(log, "a question about the past", through)
        .read(
            from,
            reader -> {
              if (++records[0] % CHECK_RECORDS == 0) {
                time.check();
              }
              if (reader.stream() == stream) {
                taker.take(reader);
              }
              return true;
            });
    counts.read(records[0]);
    if (from <= through && log.oldestSequence() > Math.max(oldest, from)) {
      throw new IOException("the log has deleted what a question about the past still reads");
    }
  }
}
