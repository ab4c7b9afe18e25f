package gilmok.ship;

import java.io.IOException;
import java.time.Duration;

/**
 * Ships the log to one sink. Thread-safe: one thread of its own reads and batches, each batch in
 * flight has another.
 */
@SuppressWarnings("DoNotCallSuggester") // until it is all there
public final class Shipper {
  /** How it does. */
  public SinkStatus status() {
    throw new UnsupportedOperationException();
  }

  /** Sends nothing new until {@link #resume}, also after a restart. Durable on return. */
  public void pause() throws IOException, InterruptedException {
    throw new UnsupportedOperationException();
  }

  /** Goes on. Durable on return. */
  public void resume() throws IOException, InterruptedException {
    throw new UnsupportedOperationException();
  }

  /**
   * Changes how it batches, until the next start.
   *
   * @throws IllegalArgumentException over the sink's limits
   */
  public void tune(Tuning tuning) {
    throw new UnsupportedOperationException();
  }

  /**
   * Sends everything from that sequence on once more and begins its account anew there. Waits for
   * what is in flight. Durable on return.
   *
   * @param next the sequence to go on with, at least the oldest there is and at most one more than
   *     is durable
   * @throws IllegalArgumentException when it is not within these
   */
  public void rewind(long next) throws IOException, InterruptedException {
    throw new UnsupportedOperationException();
  }

  /**
   * Sends a record once more that was quarantined, and counts it as waiting until then.
   *
   * @return false when the log has it no more, or it is not quarantined at this sink
   */
  public boolean replay(long sequence) throws IOException, InterruptedException {
    throw new UnsupportedOperationException();
  }

  /** Stops: what is in flight may take so long; saves the cursor. */
  public void stop(Duration patience) throws InterruptedException {
    throw new UnsupportedOperationException();
  }
}
