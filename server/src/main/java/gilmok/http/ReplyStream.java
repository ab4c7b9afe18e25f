package gilmok.http;

/**
 * A streamed reply: bytes are sent in the order in which they are written, until one side ends it.
 * The stream has no limit of its own; its writer checks {@link #isWritable} first. Thread-safe.
 */
public interface ReplyStream {
  /** Whether few of the written bytes are still to be sent. */
  boolean isWritable();

  /**
   * Sends bytes, or drops them when the stream has ended. The array is not copied and must not be
   * changed afterwards.
   */
  void write(byte[] bytes);

  /** Ends the reply. */
  void end();

  /** Aborts the reply, so that the client does not take what was sent for the whole. */
  void breakOff();

  /** Whether either side has ended it: nobody reads what is written now. */
  boolean isEnded();
}
