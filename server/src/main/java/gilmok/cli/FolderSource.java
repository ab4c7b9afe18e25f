package gilmok.cli;

import gilmok.backup.BackupContents;
import gilmok.backup.BackupPoint;
import gilmok.backup.repository.BackupManifest;
import gilmok.documents.SqliteDatabase;
import gilmok.log.SegmentFiles;
import gilmok.log.SegmentOwner;
import gilmok.runtime.Version;
import gilmok.storage.DataFolder;
import gilmok.storage.UnusableFolderException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The data folder of a stopped server. Holds its lock, so that none can start meanwhile; else the
 * folder is only read. A server that was killed has left SQLite's write-ahead log, which belongs to
 * the documents.
 */
record FolderSource(DataFolder folder, SegmentFiles log) implements BackupSource {
  /**
   * Takes a folder that has a log. Null when there is none, or when a server runs on it.
   *
   * @throws CommandFailure when the folder cannot be used for another reason
   */
  static @Nullable FolderSource takeIfStopped(Path data) throws IOException {
    Path log = data.resolve("log");
    if (!Files.isDirectory(log)) {
      return null;
    }
    DataFolder folder;
    try {
      folder =
          DataFolder.open(
              data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, new SecureRandom());
    } catch (DataFolder.InUseException | AccessDeniedException anothers) {
      return null;
    } catch (UnusableFolderException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()));
    }
    try {
      return new FolderSource(folder, SegmentFiles.ofStopped(log));
    } catch (IOException damaged) {
      folder.close();
      throw new CommandFailure("the log is damaged: " + damaged.getMessage());
    }
  }

  @Override
  public String node() {
    return folder.node().toString();
  }

  @Override
  public List<Segment> ended() {
    return segments().stream().filter(Segment::isEnded).toList();
  }

  private List<Segment> segments() {
    return log.files().stream()
        .map(
            file ->
                new Segment(
                    file.first(), Long.toHexString(file.epoch()), file.bytes(), file.isEnded()))
        .toList();
  }

  @Override
  public Point point(long bytesPerSecond, BiConsumer<Long, Long> copied) throws IOException {
    List<PointFile> files = new ArrayList<>();
    List<Path> all = new ArrayList<>(BackupContents.files(folder.path()));
    all.addAll(BackupContents.archived(folder.path()));
    for (Path within : all) {
      files.add(new PointFile(within.toString(), Files.size(folder.path().resolve(within))));
    }
    boolean isSqlite = false;
    for (String name : List.of(SqliteDatabase.FILE, SqliteDatabase.LOG_FILE)) {
      Path path = folder.path().resolve(name);
      if (Files.exists(path)) {
        files.add(new PointFile(name, Files.size(path)));
        isSqlite = true;
      }
    }
    String documents = isSqlite ? BackupPoint.SQLITE : BackupPoint.MONGODB;
    return new Point(
        new BackupManifest.Source(node(), folder.format(), Version.ofThis(), documents),
        System.currentTimeMillis(),
        log.through(),
        segments(),
        files,
        Map.of());
  }

  @Override
  public InputStream open(Segment segment) throws IOException {
    return Files.newInputStream(SegmentFiles.path(folder.path().resolve("log"), segment.first()));
  }

  @Override
  public Segment again(long first) {
    throw new IllegalStateException("nobody changes the log of a stopped server");
  }

  @Override
  public InputStream open(Point point, int index) throws IOException {
    return Files.newInputStream(folder.path().resolve(point.files().get(index).path()));
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
