package gilmok.documents;

import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The connections that only read: a few, handed from one reader to the next. Thread-safe. */
final class SqliteReaders {
  private final List<SqliteSession> all = new ArrayList<>();
  private final BlockingQueue<SqliteSession> free;
  private final long timeoutNanos;
  private final Counter busy;

  SqliteReaders(Path file, SqliteConfig config, Meters meters) throws IOException {
    free = new ArrayBlockingQueue<>(config.readers());
    timeoutNanos = config.timeout().toNanos();
    busy = SqliteWriter.busy(meters, "readers-busy");
    for (int i = 0; i < config.readers(); i++) {
      SqliteSession session = SqliteSession.toRead(file, config.timeout());
      all.add(session);
      free.add(session);
    }
  }

  <T> T read(SqliteWork<T> work) throws IOException, InterruptedException {
    SqliteSession session = free.poll(timeoutNanos, TimeUnit.NANOSECONDS);
    if (session == null) {
      busy.increment();
      throw DocumentsBusy.READERS_BUSY;
    }
    try {
      return work.run(session);
    } catch (SQLException e) {
      throw new IOException("not read: " + e.getMessage(), e);
    } finally {
      free.add(session);
    }
  }

  /** Has every connection prepare these, while nobody else reads: each comes by in its turn. */
  void prepare(Set<String> texts) throws IOException, InterruptedException {
    for (int i = 0; i < all.size(); i++) {
      read(session -> session.prepareAll(texts));
    }
  }

  /** The texts of the statements that they have prepared so far. */
  Set<String> prepared() {
    Set<String> texts = new HashSet<>();
    all.forEach(session -> texts.addAll(session.prepared()));
    return texts;
  }

  /** Closes those that come back in time; the others end with the process. */
  void close(long patienceNanos) throws InterruptedException, SQLException {
    long end = System.nanoTime() + patienceNanos;
    for (int i = 0; i < all.size(); i++) {
      SqliteSession session = free.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (session != null) {
        session.close();
      }
    }
  }
}
