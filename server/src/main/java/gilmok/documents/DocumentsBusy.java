package gilmok.documents;

import java.io.IOException;

/**
 * A read or write that was refused or timed out under load. There is one constant for each cause,
 * without a stack trace, as an overloaded storage must not cost the processor too. Immutable.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // constants are the purpose of this class
public final class DocumentsBusy extends IOException {
  /** The write queue is full. Nothing was written. */
  public static final DocumentsBusy QUEUE_FULL = new DocumentsBusy("too many writes wait");

  /** A write was not durable in time. It is unknown whether it will be. */
  public static final DocumentsBusy TOO_SLOW = new DocumentsBusy("the write took too long");

  /** No read connection was free in time. */
  public static final DocumentsBusy READERS_BUSY =
      new DocumentsBusy("no connection to read with was free in time");

  /** The storage is being closed. Nothing was written. */
  public static final DocumentsBusy CLOSED = new DocumentsBusy("the documents are closed");

  private static final long serialVersionUID = 1L;

  private DocumentsBusy(String message) {
    super(message);
  }

  /** Does nothing: in a shared constant it would be the trace of its first use. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
