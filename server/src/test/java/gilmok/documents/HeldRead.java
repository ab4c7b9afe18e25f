package gilmok.documents;

import java.util.concurrent.CountDownLatch;

/** A read of one state of SQLite's documents that lasts as long as a test wants. */
public final class HeldRead implements AutoCloseable {
  private final CountDownLatch reads = new CountDownLatch(1);
  private final CountDownLatch ends = new CountDownLatch(1);

  /** The read; on a thread of its own. */
  public SqliteWork<Boolean> work() {
    return session -> {
      session.run("BEGIN");
      session.first(row -> row.getInt(1), "SELECT count(*) FROM profiles");
      reads.countDown();
      try {
        ends.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      session.run("COMMIT");
      return true;
    };
  }

  /** Waits until it reads. */
  public void await() throws InterruptedException {
    reads.await();
  }

  /** Ends it. */
  public void end() {
    ends.countDown();
  }

  /** Ends it, also when the test has failed. */
  @Override
  public void close() {
    end();
  }
}
