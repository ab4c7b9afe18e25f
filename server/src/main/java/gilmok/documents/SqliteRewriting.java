package gilmok.documents;

import gilmok.storage.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the file of running documents anew, by SQLite's {@code VACUUM}, and cuts its write-ahead
 * log to nothing. An update leaves what was there before in unused parts of the file and in the
 * log; an erasure must not. A crash leaves the file as it was, or as it is then.
 *
 * <p>The writer's thread does it, between two groups of writes, which wait meanwhile. Thread-safe.
 *
 * <p>Source: <a href="https://www.sqlite.org/lang_vacuum.html">VACUUM</a>.
 */
final class SqliteRewriting {
  /** What it needs at most beside the file: a copy of it, and the same once more in the log. */
  private static final int COPIES = 2;

  private static final long SPARE_BYTES = 64L << 20;
  private static final long LOOK_MILLIS = 1_000;

  private final SqliteSource source;
  private final AtomicReference<@Nullable FutureTask<Boolean>> asked = new AtomicReference<>();

  SqliteRewriting(SqliteSource source) {
    this.source = source;
  }

  /**
   * Asks for it, and waits until it is done. By one thread at a time.
   *
   * @param wakes wakes the writer; false when it has ended
   * @throws IOException when it could not be done
   */
  void ask(BooleanSupplier wakes) throws IOException, InterruptedException {
    FutureTask<Boolean> task = new FutureTask<>(this::rewrite);
    asked.set(task);
    while (wakes.getAsBoolean()) {
      try {
        if (task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (TimeoutException stillAtWork) {
        // looks again whether the writer is there
      } catch (ExecutionException failed) {
        throw new IOException(
            source.file() + " cannot be written anew: " + failed.getMessage(), failed);
      }
    }
    throw DocumentsBusy.CLOSED;
  }

  /** Does it if somebody has asked. Belongs to the writer's thread. */
  void runIfAsked() {
    FutureTask<Boolean> task = asked.getAndSet(null);
    if (task != null) {
      task.run();
    }
  }

  private boolean rewrite() throws IOException, SQLException {
    Path file = source.file().toAbsolutePath();
    Path folder = FolderTree.parent(file);
    long needed = COPIES * Files.size(file) + SPARE_BYTES;
    long free = Files.getFileStore(file).getUsableSpace();
    if (free < needed) {
      throw new IOException("it needs %,d bytes, and %,d are free".formatted(needed, free));
    }
    try (SqliteSession session = source.mover()) {
      session.run("PRAGMA temp_store=FILE"); // in memory it would be as large as the file
      session.run("PRAGMA temp_store_directory='" + folder.toString().replace("'", "''") + "'");
      session.runToItsEnd("VACUUM");
      SqliteWal wal = session.checkpoint(SqliteWal.Mode.TRUNCATE);
      if (wal.pages() > 0) {
        throw new IOException("a long read needs its log");
      }
      return true;
    }
  }
}
