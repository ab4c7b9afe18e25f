package gilmok.documents;

import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.observe.PartTimes;
import gilmok.observe.WaitMeter;
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
 * A small pool of read connections. A connection on which an exception was thrown is closed, as its
 * statements may be closed too; the next user of its place opens another. Thread-safe.
 */
final class SqliteReaders {
  private final SqliteSource source;
  private final List<Place> all = new ArrayList<>();
  private final BlockingQueue<Place> free;
  private final long timeoutNanos;
  private final Counter busy;
  private final WaitMeter wait;

  /** A place for one connection. Only the thread that has taken it changes its session. */
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
    wait = new WaitMeter(meters, "documents-reader");
    for (int i = 0; i < config.readers(); i++) {
      Place place = new Place(source.reader());
      all.add(place);
      free.add(place);
    }
  }

  <T> T read(SqliteWork<T> work) throws IOException, InterruptedException {
    Place place = freePlace();
    if (place == null) {
      busy.increment();
      throw DocumentsBusy.READERS_BUSY;
    }
    SqliteSession failed = place.session;
    try {
      SqliteSession session = failed == null ? source.reader() : failed;
      place.session = session;
      failed = session;
      T result = timed(work, session);
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

  private static <T> T timed(SqliteWork<T> work, SqliteSession session) throws SQLException {
    long began = PartTimes.clock();
    try {
      return work.run(session);
    } finally {
      PartTimes.worked("documents-read", PartTimes.clock() - began);
    }
  }

  private @Nullable Place freePlace() throws InterruptedException {
    Place place = free.poll();
    if (place != null) {
      return place;
    }
    long began = wait.begin();
    try {
      return free.poll(timeoutNanos, TimeUnit.NANOSECONDS);
    } finally {
      wait.end(began);
    }
  }

  /**
   * Prepares statements on every connection. Only before other reads begin: then each place comes
   * up in turn.
   */
  void prepare(Set<String> texts) throws IOException, InterruptedException {
    for (int i = 0; i < all.size(); i++) {
      read(session -> session.prepareAll(texts));
    }
  }

  /** The texts of all statements prepared so far. */
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

  /** Closes the connections that are returned in time; the others end with the process. */
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
