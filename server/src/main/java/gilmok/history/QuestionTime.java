package gilmok.history;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How long the server may still work at a question. Only its own time counts: who reads the answer
 * slowly may read it to its end. Not thread-safe: one thread at a time has the question.
 */
final class QuestionTime {
  private final Duration most;
  private final Duration enough;
  private final BooleanSupplier isStopping;
  private final Runnable rest;
  private long left;
  private long begun;

  /**
   * The whole time.
   *
   * @param enough after which a page ends, if it can end there
   * @param rest rests if that is due, so that phones do not feel the work
   */
  QuestionTime(Duration most, Duration enough, BooleanSupplier isStopping, Runnable rest) {
    this.most = most;
    this.enough = enough;
    this.isStopping = isStopping;
    this.rest = rest;
    left = most.toNanos();
  }

  /** A question took too long. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLongException(Duration most) {
      super("a question took more than " + most.toSeconds() + " s");
    }
  }

  /** A piece of the question is worked at. */
  void begin() {
    begun = System.nanoTime();
  }

  /** Its reader has to read first, or others have their turn. */
  void pause() {
    left -= System.nanoTime() - begun;
  }

  /** Whether a page should end, if it can end here. */
  boolean isEnough() {
    return workedNanos() + System.nanoTime() - begun >= enough.toNanos();
  }

  /** How long the server has worked at it. */
  long workedNanos() {
    return most.toNanos() - left;
  }

  /**
   * Asked again and again by what works at it.
   *
   * @throws TooLongException when the time is over
   * @throws InterruptedException when the server stops
   */
  void check() throws TooLongException, InterruptedException {
    if (isStopping.getAsBoolean()) {
      throw new InterruptedException();
    }
    long now = System.nanoTime();
    if (now - begun > left) {
      throw new TooLongException(most);
    }
    rest.run();
    begun += System.nanoTime() - now; // a rest is none of its time
  }
}
