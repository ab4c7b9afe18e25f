package gilmok.http;

/**
 * A reply that goes on: what is written is sent in that order, until one side ends it. Nothing
 * bounds what is written but its writer, who asks {@link #isWritable} first. Thread-safe.
 */
public interface ReplyStream {
  /** Whether little of what was written before is still to be sent. */
  boolean isWritable();

  /**
   * Sends bytes, or drops them when the stream has ended. The array is not copied and must not be
   * changed afterwards.
   */
  void write(byte[] bytes);

  /** Ends the reply. */
  void end();

  /** Breaks it off, so that nobody takes what was sent for the whole. */
  void breakOff();

  /** Whether it has ended, by either side: there is nobody to write to. */
  boolean isEnded();
}
