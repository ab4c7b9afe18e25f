package gilmok.documents;

import gilmok.observe.Counter;
import gilmok.observe.Meters;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections that only read: a few, handed from one reader to the next. One on which something
 * was thrown is closed, as its statements may be too; whoever has its place next opens another.
 * Thread-safe.
 */
final class SqliteReaders {
  private final SqliteSource source;
  private final List<Place> all = new ArrayList<>();
  private final BlockingQueue<Place> free;
  private final long timeoutNanos;
  private final Counter busy;

  /** Room for one connection. Its session is changed by whoever has taken it. */
  private static final class Place {
    private volatile @Nullable SqliteSession session;

    Place(SqliteSession first) {
      session = first;
    }
  }

  SqliteReaders(SqliteSource source, SqliteConfig config, Meters meters) throws IOException {
    this.source = source;
    free = new ArrayBlockingQueue<>(config.readers());
    timeoutNanos = config.timeout().toNanos();
    busy = SqliteWriter.busy(meters, "readers-busy");
    for (int i = 0; i < config.readers(); i++) {
      Place place = new Place(source.reader());
      all.add(place);
      free.add(place);
    }
  }

  <T> T read(SqliteWork<T> work) throws IOException, InterruptedException {
    Place place = free.poll(timeoutNanos, TimeUnit.NANOSECONDS);
    if (place == null) {
      busy.increment();
      throw DocumentsBusy.READERS_BUSY;
    }
    SqliteSession failed = place.session;
    try {
      SqliteSession session = failed == null ? source.reader() : failed;
      place.session = session;
      failed = session;
      T result = work.run(session);
      failed = null;
      return result;
    } catch (SQLException e) {
      throw new IOException("not read: " + e.getMessage(), e);
    } finally {
      if (failed != null) {
        place.session = null;
        failed.closeQuietly();
      }
      free.add(place);
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
    for (Place place : all) {
      SqliteSession session = place.session;
      if (session != null) {
        texts.addAll(session.prepared());
      }
    }
    return texts;
  }

  /** Closes those that come back in time; the others end with the process. */
  void close(long patienceNanos) throws InterruptedException, SQLException {
    long end = System.nanoTime() + patienceNanos;
    for (int i = 0; i < all.size(); i++) {
      Place place = free.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      SqliteSession session = place == null ? null : place.session;
      if (session != null) {
        session.close();
      }
    }
  }
}
