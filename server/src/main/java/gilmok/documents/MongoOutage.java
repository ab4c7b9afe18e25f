package gilmok.documents;

import java.io.IOException;

/**
 * MongoDB did not answer, or there was no room to ask it. Without a stack trace, as many may come
 * at once while a database is slow, and none of them is a bug of ours.
 */
@SuppressWarnings("StaticAssignmentOfThrowable") // they have no stack trace that could mislead
public final class MongoOutage extends IOException {
  private static final long serialVersionUID = 1;

  /** All calls that may be under way are, and as many wait as may; made once. */
  static final MongoOutage BUSY = new MongoOutage("MongoDB: no call under way ended in time");

  /** The server is shutting down; made once. */
  static final MongoOutage CLOSED = new MongoOutage("MongoDB: the client is closed");

  /** Others changed the same document each time; made once. */
  public static final MongoOutage CONTENDED =
      new MongoOutage("MongoDB: others kept changing the same document");

  MongoOutage(String text) {
    super(text);
  }

  /** Costs a walk along the stack each time, and tells nothing: where it comes from is known. */
  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public Throwable fillInStackTrace() {
    return this;
  }
}
