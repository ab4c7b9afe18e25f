package gilmok.history;

import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one question while it is reckoned, bit by bit. Not thread-safe: one thread at a
 * time has the question.
 */
interface HistoryAnswer extends AutoCloseable {
  /** About how much is written at once: as much as a stream takes before it is to be waited for. */
  int PIECE_BYTES = 64 << 10;

  /** What it is, as in {@code text/csv}. */
  String contentType();

  /** An entity tag; null where none is given. Before anything is written. */
  @Nullable String tag() throws IOException, InterruptedException;

  /** Writes some more of the answer, about a piece; false when that was the end of it. */
  boolean write(JsonBuffer out) throws IOException, InterruptedException;

  @Override
  void close();

  /** Looks whether a question can be answered at all. On a virtual thread. */
  @FunctionalInterface
  interface Check {
    /** The refusal; null if it can. */
    @Nullable Answer refusal() throws IOException;
  }

  /** Begins one. On a thread of low priority. */
  @FunctionalInterface
  interface Begin {
    HistoryAnswer begin(QuestionTime time, QuestionCounts counts)
        throws IOException, InterruptedException;
  }
}
