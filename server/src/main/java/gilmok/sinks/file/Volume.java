package gilmok.sinks.file;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.sinks.Batch;
import gilmok.storage.Disk;
import gilmok.storage.FileOutput;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that are published together: one for each stream and each hour in which its records
 * were received. All have the same name, {@code NODE-FIRST-LAST}, for the range of sequences that
 * was sent while they were open. They are written in a hidden folder and become visible by
 * renaming.
 *
 * <p>Not thread-safe: owned by the sink's sender.
 */
final class Volume {
  /** The most files open at once, because each holds native memory. */
  static final int FILES_MAX = 32;

  /** A file that is open. */
  private static final class Part {
    private final Stream stream;
    private final Path path;
    private final RecordFile file;

    /** By the time of receipt, so that an hour that is over gets no more files. */
    private FolderHour hour;

    Part(Stream stream, FolderHour hour, Path path, RecordFile file) {
      this.stream = stream;
      this.hour = hour;
      this.path = path;
      this.file = file;
    }

    String folder() {
      return "stream=" + stream.label() + "/" + hour.folder();
    }
  }

  private final Disk disk;
  private final Path folder;
  private final Path hidden;
  private final FilesConfig config;
  private final ByteBuffer buffer;
  private final NodeId node;
  private final long first;
  private final long bornMillis;
  private final List<Part> parts = new ArrayList<>();
  private long last;

  /**
   * A volume without files.
   *
   * @param folder where files are published
   * @param hidden where files are written; on the same file system
   * @param config says the format, and the zone whose hours they are
   * @param buffer used for all writing
   * @param first the first sequence that will be written
   */
  Volume(
      Disk disk,
      Path folder,
      Path hidden,
      FilesConfig config,
      ByteBuffer buffer,
      NodeId node,
      long first,
      long bornMillis) {
    this.disk = disk;
    this.folder = folder;
    this.hidden = hidden;
    this.config = config;
    this.buffer = buffer;
    this.node = node;
    this.first = first;
    this.last = first - 1;
    this.bornMillis = bornMillis;
  }

  /** When its first record was added, epoch ms. */
  long bornMillis() {
    return bornMillis;
  }

  /** The bytes of its files before compression. */
  long plainBytes() {
    return parts.stream().mapToLong(part -> part.file.plainBytes()).sum();
  }

  /** Whether a record can be added: all records are of one node, in the log's order. */
  boolean takes(Batch batch, int i) {
    return batch.sequence(i) > last
        && batch.node().equals(node)
        && (parts.size() < FILES_MAX || find(batch.stream(i), batch.receivedAtMillis(i)) != null);
  }

  /**
   * Adds a record.
   *
   * @throws gilmok.event.DamagedEvent when its bytes are no event; nothing was written
   */
  void write(Batch batch, int i) throws IOException {
    Part part = find(batch.stream(i), batch.receivedAtMillis(i));
    if (part == null) {
      part = begin(batch.stream(i), batch.receivedAtMillis(i));
    }
    last = batch.sequence(i);
    part.file.write(batch, i);
  }

  private @Nullable Part find(Stream stream, long receivedAtMillis) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      Part part = parts.get(i);
      if (part.stream == stream && part.hour.has(receivedAtMillis)) {
        return part;
      }
    }
    return findFolder(stream, receivedAtMillis);
  }

  /** The part with the folder of that time: when clocks are set back, an hour comes twice. */
  private @Nullable Part findFolder(Stream stream, long receivedAtMillis) {
    if (parts.stream().noneMatch(part -> part.stream == stream)) {
      return null;
    }
    FolderHour hour = FolderHour.of(receivedAtMillis, config.zone());
    for (Part part : parts) {
      if (part.stream == stream && part.hour.folder().equals(hour.folder())) {
        part.hour = hour;
        return part;
      }
    }
    return null;
  }

  private Part begin(Stream stream, long receivedAtMillis) throws IOException {
    Path path = hidden.resolve(parts.size() + ".open");
    Disk.File made = disk.create(path);
    RecordFile file;
    try {
      file = config.format().begin(stream, new FileOutput(made, buffer));
    } catch (IOException | RuntimeException failed) {
      made.close();
      throw failed;
    }
    Part part = new Part(stream, FolderHour.of(receivedAtMillis, config.zone()), path, file);
    parts.add(part);
    return part;
  }

  /** The name of its files. */
  String name() {
    return String.format(
        Locale.ROOT, "%s-%020d-%020d%s", node, first, last, config.format().suffix());
  }

  /** Where its files are or will be, with a {@code *} for a folder in which they differ. */
  String place() {
    String[] same = {};
    for (Part part : parts) {
      String[] names = part.folder().split("/", -1);
      if (same.length == 0) {
        same = names;
      }
      for (int i = 0; i < names.length; i++) {
        same[i] = same[i].equals(names[i]) ? names[i] : same[i].replaceFirst("=.*", "=*");
      }
    }
    return String.join("/", same) + "/" + name();
  }

  /**
   * Finishes all files and makes them durable and visible. After a failure, some may be visible:
   * {@link #discard} deletes the others.
   *
   * @param published gets the number of records in the files
   * @return the files
   */
  Set<Path> publish(StreamCounts published) throws IOException {
    Set<Path> files = new HashSet<>();
    for (Part part : parts) {
      part.file.finish();
      part.file.close();
    }
    for (Part part : parts) {
      if (part.file.records() == 0) {
        disk.delete(part.path);
        continue;
      }
      Path target = folder.resolve(part.folder());
      disk.createFolder(target);
      disk.rename(part.path, target.resolve(name()));
      disk.forceFolder(target);
      files.add(target.resolve(name()));
    }
    for (Part part : parts) {
      published.add(part.stream, part.file.records());
    }
    parts.clear();
    return files;
  }

  /** Deletes the files that are not published, as far as possible. */
  void discard() {
    for (Part part : parts) {
      try {
        part.file.close();
      } catch (IOException cut) {
        // The file is incomplete anyway.
      }
      try {
        disk.delete(part.path);
      } catch (IOException left) {
        // It was published, or will be deleted before the next is written.
      }
    }
    parts.clear();
  }
}
