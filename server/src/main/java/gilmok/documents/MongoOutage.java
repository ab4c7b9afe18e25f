package gilmok.documents;

import java.io.IOException;

/**
 * MongoDB did not answer, or there was no place for a call. It has no stack trace: a slow database
 * causes many at once, and none is a bug here.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // without a stack trace none can mislead
public final class MongoOutage extends IOException {
  private static final long serialVersionUID = 1;

  /** No place for a call became free in time, or as many calls wait as may. A constant. */
  static final MongoOutage BUSY = new MongoOutage("MongoDB: no call under way ended in time");

  /** The server is shutting down. A constant. */
  static final MongoOutage CLOSED = new MongoOutage("MongoDB: the client is closed");

  /** Concurrent changes of the same document won each time. A constant. */
  public static final MongoOutage CONTENDED =
      new MongoOutage("MongoDB: others kept changing the same document");

  MongoOutage(String text) {
    super(text);
  }

  /** Does nothing: walking the stack costs time, and the origin is known. */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public Throwable fillInStackTrace() {
    return this;
  }
}
