package gilmok.backup;

import gilmok.background.BackgroundThread;
import gilmok.documents.SqliteCopy;
import gilmok.documents.SqliteDatabase;
import gilmok.log.Log;
import gilmok.log.SegmentFiles;
import gilmok.storage.DataFolder;
import gilmok.storage.FolderTree;
import gilmok.storage.OwnerOnly;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a running server keeps the copy of its documents and small files while a backup reads it:
 * the folder {@code backup} in the data folder. There is one copy at most; the next one, or the
 * next start, replaces it. Thread-safe, except {@link #make}.
 */
public final class BackupStage {
  /** What must be free beside the copy: the server goes on writing. */
  private static final long SPARE_BYTES = 1L << 30;

  /** A backup that has read nothing for so long has ended without saying so. */
  private static final long LEFT_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final DataFolder owner;
  private final Path data;
  private final Path folder;
  private final String version;
  private final Log log;
  private final @Nullable SqliteDatabase documents;
  private final Supplier<Map<String, String>> settings;
  private final InstantSource clock;
  private final ReentrantLock archiving;

  /** When a backup has last read something, by {@link System#nanoTime}. */
  private final AtomicLong readNanos = new AtomicLong(System.nanoTime());

  private final AtomicLong copied = new AtomicLong();
  private final AtomicLong all = new AtomicLong();
  private volatile @Nullable BackupPoint point;

  /**
   * Deletes what a server before has left.
   *
   * @param version of the program
   * @param documents null if they are in MongoDB
   * @param settings those in force, secrets masked
   * @param archiving held by whoever changes the archive
   */
  public BackupStage(
      DataFolder owner,
      String version,
      Log log,
      @Nullable SqliteDatabase documents,
      Supplier<Map<String, String>> settings,
      InstantSource clock,
      ReentrantLock archiving)
      throws IOException {
    this.owner = owner;
    data = owner.path();
    folder = data.resolve("backup");
    this.version = version;
    this.log = log;
    this.documents = documents;
    this.settings = settings;
    this.clock = clock;
    this.archiving = archiving;
    drop();
  }

  /** The folder of the log. */
  Path log() {
    return data.resolve("log");
  }

  /** The ended segments that the log has now; a backup copies them before it makes a point. */
  List<SegmentFiles.File> ended() throws IOException {
    return SegmentFiles.ended(log());
  }

  /** The last point that was made; null if it was dropped. */
  @Nullable BackupPoint point() {
    return point;
  }

  /** How many bytes of the documents are copied. */
  long copied() {
    return copied.get();
  }

  /** How many bytes the documents have. */
  long all() {
    return all.get();
  }

  /** The bytes of the copy on this node's disk; 0 without one. */
  public long bytes() {
    BackupPoint now = point;
    return now == null
        ? 0
        : now.files().stream()
            .filter(file -> !isArchived(file.path())) // these are links
            .mapToLong(BackupPoint.PointFile::bytes)
            .sum();
  }

  /** Does that on a platform thread of its own, as most of it is native code. */
  static Thread begin(FutureTask<BackupPoint> making) {
    return BackgroundThread.startDaemon("backup", making);
  }

  /**
   * Makes a point. On a platform thread, by one at a time. An interrupt ends the waiting for the
   * pace: the copy of the documents cannot be broken off.
   *
   * @param bytesPerSecond how fast the documents are copied at most
   */
  BackupPoint make(long bytesPerSecond) throws IOException {
    read();
    drop();
    Files.createDirectory(folder, OwnerOnly.FOLDER);
    try {
      long millis = clock.millis();
      List<BackupPoint.PointFile> files = copyFiles(BackupContents.files(data));
      long[] through = {log.durable()};
      if (documents != null) {
        checkRoom(documents.bytes());
        Path target = folder.resolve(SqliteDatabase.FILE);
        documents.copyTo(target, new Watch(through), bytesPerSecond);
        files.add(new BackupPoint.PointFile(SqliteDatabase.FILE, target, Files.size(target)));
      }
      addArchived(files);
      SegmentFiles segments = SegmentFiles.upTo(log(), through[0]);
      BackupPoint.Origin origin =
          new BackupPoint.Origin(
              owner.node().toString(),
              owner.format(),
              version,
              documents == null ? BackupPoint.MONGODB : BackupPoint.SQLITE);
      read();
      BackupPoint made = new BackupPoint(origin, millis, segments, files, settings.get());
      point = made;
      return made;
    } catch (IOException | RuntimeException failed) {
      drop();
      throw failed;
    }
  }

  /** Follows the copy of the documents. */
  private final class Watch implements SqliteCopy.Watch {
    private final long[] through;

    Watch(long[] through) {
      this.through = through;
    }

    @Override
    public void settled() {
      through[0] = log.durable();
    }

    @Override
    public void copied(long bytes, long of) {
      all.set(of);
      copied.set(bytes);
    }
  }

  private void checkRoom(long bytes) throws IOException {
    FileStore store = Files.getFileStore(folder);
    long free = store.getUsableSpace();
    if (free < bytes + SPARE_BYTES) {
      throw new IOException(
          "the copy of the documents needs %,d bytes beside %,d that stay free, but %s has %,d"
              .formatted(bytes, SPARE_BYTES, store.name(), free));
    }
  }

  private static boolean isArchived(String path) {
    return path.startsWith(BackupContents.ARCHIVE) && path.endsWith(".parquet");
  }

  /** Somebody reads something for a backup. */
  void read() {
    readNanos.set(System.nanoTime());
  }

  /**
   * Deletes a copy that was left, for an erasure: it has what was there before.
   *
   * @throws IOException while a backup goes on
   */
  public void deleteLeft() throws IOException {
    boolean isRead = System.nanoTime() - readNanos.get() < LEFT_NANOS;
    if (isRead && Files.exists(folder)) {
      throw new IOException("a backup is being made; its copy has what was there before");
    }
    drop();
  }

  /**
   * Files that only an erasure replaces are not copied, but have a second name; their list is
   * copied.
   */
  private void addArchived(List<BackupPoint.PointFile> files) throws IOException {
    archiving.lock();
    try {
      addArchivedAlone(files);
    } finally {
      archiving.unlock();
    }
  }

  private void addArchivedAlone(List<BackupPoint.PointFile> files) throws IOException {
    List<Path> lists = new ArrayList<>();
    for (Path within : BackupContents.archived(data)) {
      if (isArchived(within.toString())) {
        Path target = folder.resolve("files").resolve(within);
        Files.createDirectories(FolderTree.parent(target), OwnerOnly.FOLDER);
        Files.createLink(target, data.resolve(within));
        files.add(new BackupPoint.PointFile(within.toString(), target, Files.size(target)));
      } else {
        lists.add(within);
      }
    }
    files.addAll(copyFiles(lists));
  }

  private List<BackupPoint.PointFile> copyFiles(List<Path> all) throws IOException {
    List<BackupPoint.PointFile> files = new ArrayList<>();
    for (Path within : all) {
      Path target = folder.resolve("files").resolve(within);
      Files.createDirectories(FolderTree.parent(target), OwnerOnly.FOLDER);
      try {
        Files.copy(data.resolve(within), target);
        files.add(new BackupPoint.PointFile(within.toString(), target, Files.size(target)));
      } catch (NoSuchFileException gone) {
        Files.deleteIfExists(target); // an old receipt, or a job that has ended
      }
    }
    return files;
  }

  /** Deletes the copy. */
  synchronized void drop() throws IOException {
    point = null;
    copied.set(0);
    all.set(0);
    FolderTree.delete(folder);
  }
}
