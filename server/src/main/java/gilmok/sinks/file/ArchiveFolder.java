package gilmok.sinks.file;

import gilmok.event.JsonBuffer;
import gilmok.parquet.DamagedParquetException;
import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetWriter;
import gilmok.storage.Disk;
import gilmok.storage.FileOutput;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Old documents as Parquet files, a folder for each kind. A file appears under its name when all of
 * it is on disk; then it is added to {@code manifest.ndjson} beside it: its name, rows, bytes,
 * SHA-256, node and time, a line each. A file that is written again under the same name replaces
 * the first, and its line. Files whose name begins with a dot are not finished. Nobody but the
 * owner deletes from here.
 *
 * <p>Not thread-safe: each thread that archives, or erases, has one of its own. They share a lock:
 * a manifest is written by one at a time, and what is archived is read while nobody erases.
 */
public final class ArchiveFolder {
  /** The name of the list of files. */
  public static final String MANIFEST = "manifest.ndjson";

  private static final Logger LOG = System.getLogger("gilmok.sinks");
  private static final String SUFFIX = ".parquet";
  private static final String OPEN = ".open";
  private static final int BUFFER_BYTES = 256 << 10;

  private final Path folder;
  private final NodeId node;
  private final Disk disk;
  private final InstantSource clock;
  private final ReentrantLock lock;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** Gives the rows of a file, one after the other. */
  @FunctionalInterface
  public interface Rows {
    /** The values of the next row, in the columns' order, null for none; null at the end. */
    @Nullable List<@Nullable Object> next() throws IOException, InterruptedException;
  }

  /** An archive of one thread, in a folder that is made when it is needed. */
  public ArchiveFolder(Path folder, NodeId node, Disk disk, InstantSource clock) {
    this(folder, node, disk, clock, new ReentrantLock());
  }

  /** The same for one of several threads, which share the lock. */
  ArchiveFolder(Path folder, NodeId node, Disk disk, InstantSource clock, ReentrantLock lock) {
    this.lock = lock;
    this.folder = folder;
    this.node = node;
    this.disk = disk;
    this.clock = clock;
  }

  /**
   * Writes a file. On return its bytes, its name and its line in the manifest are durable.
   *
   * @param kind the name of the kind's folder
   * @param name of the file, without a suffix
   * @throws IOException when it is not durable. A file of that name is then as it was, or whole
   */
  public void write(String kind, String name, List<ArchiveColumn> columns, Rows rows)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      writeAlone(kind, name, columns, rows);
    } finally {
      lock.unlock();
    }
  }

  private void writeAlone(String kind, String name, List<ArchiveColumn> columns, Rows rows)
      throws IOException, InterruptedException {
    Path of = folder.resolve(kind);
    disk.createFolder(of);
    clean(of); // of what a process has left that was killed
    Path open = of.resolve("." + name + OPEN);
    Path file = of.resolve(name + SUFFIX);
    try {
      long count = writeRows(open, columns, rows);
      String line = line(open, file.getFileName().toString(), count);
      disk.rename(open, file);
      disk.forceFolder(of);
      note(of, file.getFileName().toString(), line);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      giveUp(of);
      throw failed;
    }
  }

  /** Deletes what is not finished, as far as possible: a full disk needs the room. */
  private void giveUp(Path of) {
    try {
      clean(of);
    } catch (IOException left) {
      LOG.log(Level.DEBUG, "it is deleted before the next file is written", left);
    }
  }

  private void clean(Path of) throws IOException {
    for (String left : disk.list(of)) {
      if (left.startsWith(".") && left.endsWith(OPEN)) {
        disk.delete(of.resolve(left));
      }
    }
  }

  private long writeRows(Path open, List<ArchiveColumn> columns, Rows rows)
      throws IOException, InterruptedException {
    List<ParquetColumn> all = columns.stream().map(ArchiveColumn::begin).toList();
    try (FileOutput out = new FileOutput(disk.create(open), buffer);
        ParquetWriter file = new ParquetWriter(out, all)) {
      List<@Nullable Object> row = rows.next();
      while (row != null) {
        for (int i = 0; i < all.size(); i++) {
          set(all.get(i), row.get(i));
        }
        file.endRow();
        row = rows.next();
      }
      file.finish();
      out.force();
      return file.rows();
    }
  }

  private static void set(ParquetColumn column, @Nullable Object value) {
    if (value instanceof Long number) {
      column.number(number);
    } else if (value != null) {
      byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
      column.text(utf8, 0, utf8.length);
    }
  }

  /**
   * Puts pseudonyms in the place of riders' ids in the files of this node. Each file, with its line
   * in the manifest, is as before or as it is to be; the line follows the file, also after a crash,
   * when this is called again.
   */
  FilesErasure.Result erase(ErasedRows rows, FilesErasure.Progress progress)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      return eraseAlone(rows, progress);
    } finally {
      lock.unlock();
    }
  }

  private FilesErasure.Result eraseAlone(ErasedRows rows, FilesErasure.Progress progress)
      throws IOException, InterruptedException {
    long files = 0;
    long changed = 0;
    List<String> unreadable = new ArrayList<>();
    List<Path> all = new ArrayList<>();
    for (Path of : FileRetention.list(folder)) {
      if (Files.isDirectory(of)) {
        clean(of); // of what a process has left that was killed
      }
      all.addAll(FileRetention.list(of).stream().filter(ArchiveFolder::isFile).toList());
    }
    for (int i = 0; i < all.size(); i++) {
      Path file = all.get(i);
      Path of = file.resolveSibling("");
      String name = file.getFileName().toString();
      try {
        ParquetRewrite rewrite = new ParquetRewrite(disk, buffer, rows, () -> {});
        boolean isNoted = isNoted(of, name, file);
        if (rewrite.changes(file)) {
          Path open = of.resolve("." + name + OPEN);
          Files.deleteIfExists(open);
          rewrite.write(file, open);
          String line = line(open, name, rewrite.rowsLeft());
          disk.rename(open, file);
          disk.forceFolder(of);
          note(of, name, line);
          files++;
          changed += rewrite.rowsChanged();
        } else if (!isNoted) {
          note(of, name, line(file, name, rows(file)));
        }
      } catch (DamagedParquetException damaged) {
        unreadable.add(String.valueOf(damaged.getMessage()));
      }
      progress.reached(i + 1L, all.size());
    }
    return new FilesErasure.Result(files, 0, changed, List.copyOf(unreadable));
  }

  private static boolean isFile(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(SUFFIX) && !name.startsWith(".");
  }

  private long rows(Path file) throws IOException {
    try (ParquetReader reader = ParquetReader.open(disk, file)) {
      return reader.footer().rows();
    }
  }

  /** Whether the manifest has the file as it is now: a crash may have come between the two. */
  private boolean isNoted(Path of, String name, Path file) throws IOException {
    Path manifest = of.resolve(MANIFEST);
    String sum =
        line(file, name, 0).replaceFirst(".*(\"bytes\":.*\"sha256\":\"[0-9a-f]+\").*", "$1");
    return Files.exists(manifest)
        && Files.readAllLines(manifest).stream()
            .anyMatch(one -> one.startsWith("{\"file\":\"" + name + "\"") && one.contains(sum));
  }

  /** Reads the file back, so that what is noted is what the disk has. */
  private String line(Path open, String name, long rows) throws IOException {
    MessageDigest sha256 = sha256();
    long bytes = 0;
    try (Disk.File file = disk.openForReading(open)) {
      buffer.clear();
      while (file.read(buffer, bytes) > 0) {
        buffer.flip();
        bytes += buffer.remaining();
        sha256.update(buffer);
        buffer.clear();
      }
    }
    JsonBuffer line = new JsonBuffer();
    line.ascii("{\"file\":").string(name);
    line.ascii(",\"rows\":").number(rows);
    line.ascii(",\"bytes\":").number(bytes);
    line.ascii(",\"sha256\":\"").ascii(HexFormat.of().formatHex(sha256.digest()));
    line.ascii("\",\"node\":\"").ascii(node.toString());
    line.ascii("\",\"archivedAt\":").time(clock.millis());
    return line.put('}').toString();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Writes the manifest anew with that file's line at its end. */
  private void note(Path of, String name, String line) throws IOException {
    Path manifest = of.resolve(MANIFEST);
    List<String> lines = new ArrayList<>();
    if (Files.exists(manifest)) {
      lines.addAll(Files.readAllLines(manifest));
      lines.removeIf(one -> one.startsWith("{\"file\":\"" + name + "\""));
    }
    lines.add(line);
    Path open = of.resolve("." + MANIFEST + OPEN);
    try (FileOutput out = new FileOutput(disk.create(open), buffer)) {
      for (String one : lines) {
        byte[] utf8 = (one + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(utf8, 0, utf8.length);
      }
      out.force();
    }
    disk.rename(open, manifest);
    disk.forceFolder(of);
  }
}
