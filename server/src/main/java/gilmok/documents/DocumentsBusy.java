package gilmok.documents;

import java.io.IOException;

/**
 * That there was no room or no time for a read or a write. One constant for each cause, without a
 * stack trace: that the storage is overloaded must not cost the processor too. From any thread.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // that is what it is for
public final class DocumentsBusy extends IOException {
  /** As many writes wait as may. Nothing was written. */
  public static final DocumentsBusy QUEUE_FULL = new DocumentsBusy("too many writes wait");

  /** A write was not durable in time; whether it will be is not known. */
  public static final DocumentsBusy TOO_SLOW = new DocumentsBusy("the write took too long");

  /** No connection to read with was free in time. */
  public static final DocumentsBusy READERS_BUSY =
      new DocumentsBusy("no connection to read with was free in time");

  /** The storage is being closed. Nothing was written. */
  public static final DocumentsBusy CLOSED = new DocumentsBusy("the documents are closed");

  private static final long serialVersionUID = 1L;

  private DocumentsBusy(String message) {
    super(message);
  }

  /** None: it would be that of whoever came first. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
