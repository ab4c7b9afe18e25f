package gilmok.sinks.file;

import gilmok.event.DamagedEvent;
import gilmok.event.JsonBuffer;
import gilmok.log.StreamCounts;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.ShippedLine;
import gilmok.sinks.Sink;
import gilmok.sinks.Verdict;
import gilmok.storage.Disk;
import gilmok.storage.DiskFullException;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ships into files for other programs to read: folders by stream, date and hour, and files that
 * become visible only when they are complete. docs/sinks.md describes names and columns.
 *
 * <p>Records are written to a {@link Volume} as they come, and held; {@link #release} publishes it
 * when it is old or large enough. When the disk fails, the files that are not published are deleted
 * and their records have to be sent again. Thread-safe, though meant for one thread at a time.
 */
public final class FilesSink implements Sink {
  /** After a record has broken its file this often, it is quarantined. */
  static final int BUGS_MAX = 3;

  private static final Logger LOGGER = System.getLogger("gilmok.sinks");
  private static final String BUG = "a bug: it cannot be written; the server's log says more";
  private static final int BUGGY_RECORDS_MAX = 1000;
  private static final int BUFFER_BYTES = 256 << 10;

  private final FilesConfig config;
  private final Path folder;
  private final Path hidden;
  private final Disk disk;
  private final InstantSource clock;
  private final FileRetention retention;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private boolean opened;
  private @Nullable UnsettledFiles unsettledFiles;
  private @Nullable NodeId lastNode;
  private long lastSequence;
  private @Nullable Volume volume;
  private @Nullable String fault;
  private String place = "";
  private StreamCounts published = new StreamCounts();
  private boolean publishedEarly;

  /** How often writing a record has thrown, by its sequence. */
  private final Map<Long, Integer> bugs = new HashMap<>();

  /**
   * A sink that has touched no file yet.
   *
   * @param data the server's data folder, for a sink without a folder in its settings
   * @param node this server's node; several servers can write to one folder
   */
  public FilesSink(
      FilesConfig config, Path data, NodeId node, Disk disk, InstantSource clock, Meters meters) {
    this.config = config;
    this.folder = config.folder(data);
    // Two sinks of one server may share a folder if they take different streams or formats.
    String word = config.common().name().substring(FilesConfig.KIND.length());
    this.hidden = folder.resolve(".open-" + node + word);
    this.disk = disk;
    this.clock = clock;
    retention = new FileRetention(config, folder, node, disk, meters);
  }

  @Override
  public String kind() {
    return FilesConfig.KIND;
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  /**
   * Writes a batch, to be published later. A failure of the disk is returned not here but by {@link
   * #release}, because records that were held before are lost too.
   */
  @Override
  public synchronized Verdict send(Batch batch) throws InterruptedException {
    if (fault != null || batch.size() == 0) {
      return new Verdict.Held();
    }
    try {
      if (!opened) {
        open();
      }
      if (volume != null && !volume.takes(batch, 0)) {
        publishEarly();
      }
      unsettled(batch).see(batch);
      return write(batch);
    } catch (ClosedByInterruptException stopped) {
      throw interrupted(stopped);
    } catch (IOException | RuntimeException cannot) {
      failed(cannot);
      return new Verdict.Held();
    }
  }

  /** Makes the folder and checks that it can be written to. */
  @Override
  public @Nullable String probe() {
    try {
      disk.createFolder(folder);
    } catch (IOException cannot) {
      return described(cannot);
    }
    return Files.isWritable(folder) ? null : folder + " may not be written";
  }

  /**
   * If the sink goes back in the log, or this is the first batch, finds published files that may
   * have the same records.
   */
  private UnsettledFiles unsettled(Batch batch) throws IOException {
    boolean goesOn = batch.node().equals(lastNode) && batch.sequence(0) > lastSequence;
    lastNode = batch.node();
    lastSequence = batch.sequence(batch.size() - 1);
    if (unsettledFiles == null || !goesOn) {
      unsettledFiles =
          UnsettledFiles.find(folder, config.common().streams(), config.format(), batch);
    }
    return unsettledFiles;
  }

  private Verdict write(Batch batch) throws IOException {
    BitSet damaged = new BitSet();
    String reason = "";
    for (int i = 0; i < batch.size(); i++) {
      if (volume != null && !volume.takes(batch, i)) {
        publishEarly();
      }
      if (volume == null) {
        volume = begin(batch.node(), batch.sequence(i));
      }
      if (bugs.getOrDefault(batch.sequence(i), 0) >= BUGS_MAX) {
        damaged.set(i);
        reason = BUG;
        continue;
      }
      try {
        volume.write(batch, i);
      } catch (DamagedEvent damage) {
        damaged.set(i);
        reason = String.valueOf(damage.getMessage());
      } catch (UncheckedIOException cannot) {
        throw cannot.getCause();
      } catch (RuntimeException bug) {
        if (cannotBeWritten(batch, i)) {
          thrown(batch.sequence(i), bug);
        }
        throw bug;
      }
    }
    return damaged.isEmpty()
        ? new Verdict.Held()
        : new Verdict.RejectThese(damaged, "", reason, new Verdict.Held());
  }

  /** Whether the record is at fault, and not the file that it was written to. */
  private static boolean cannotBeWritten(Batch batch, int i) {
    try {
      new ShippedLine().write(batch, i, new JsonBuffer());
      return false;
    } catch (RuntimeException bug) {
      return true;
    }
  }

  /**
   * A record has broken the file that it was written to. If it does so each time, it is not written
   * any more.
   */
  private void thrown(long sequence, RuntimeException bug) {
    if (bugs.size() >= BUGGY_RECORDS_MAX) {
      bugs.clear();
    }
    bugs.merge(sequence, 1, Integer::sum);
    LOGGER.log(Level.ERROR, "a bug in writing record " + sequence + " to a file", bug);
  }

  private Volume begin(NodeId node, long first) {
    long now = clock.millis();
    return new Volume(disk, folder, hidden, config, buffer, node, first, now);
  }

  /** Makes the folders and deletes unfinished files, as of a killed process. */
  private void open() throws IOException {
    disk.createFolder(hidden);
    for (String leftover : disk.list(hidden)) {
      disk.delete(hidden.resolve(leftover));
    }
    opened = true;
  }

  @Override
  public synchronized @Nullable Verdict release(boolean now) throws InterruptedException {
    if (fault != null) {
      return new Verdict.Retry(Verdict.Cause.FAILED, fault);
    }
    boolean holds = volume != null || publishedEarly;
    if (!holds || !(now || publishedEarly || (volume != null && isDue(volume)))) {
      return null;
    }
    try {
      publish();
    } catch (ClosedByInterruptException stopped) {
      throw interrupted(stopped);
    } catch (IOException | RuntimeException cannot) {
      return new Verdict.Retry(Verdict.Cause.FAILED, failed(cannot));
    }
    Verdict done = new Verdict.Done(published, place);
    published = new StreamCounts();
    publishedEarly = false;
    retention.apply(clock.millis());
    return done;
  }

  private boolean isDue(Volume open) {
    long age = clock.millis() - open.bornMillis();
    return age < 0
        || age >= config.fileAgeMax().toMillis()
        || open.plainBytes() >= config.fileBytesMax();
  }

  /**
   * Publishes the volume, as the next record does not fit; it is acknowledged with the next
   * release.
   */
  private void publishEarly() throws IOException {
    publish();
    publishedEarly = true;
  }

  private void publish() throws IOException {
    if (volume == null) {
      return;
    }
    place = volume.place();
    Set<Path> now = volume.publish(published);
    volume = null;
    for (Path old : unsettledFiles == null ? List.<Path>of() : unsettledFiles.replaced()) {
      if (!now.contains(old)) {
        disk.delete(old);
        disk.forceFolder(old.resolveSibling(""));
      }
    }
  }

  /** The interrupt has closed a file, and its records are lost. */
  private InterruptedException interrupted(ClosedByInterruptException cause) {
    failed(cause);
    Thread.interrupted(); // else it would close this thread's next file too
    return new InterruptedException();
  }

  private String failed(Exception cause) {
    discard();
    fault = described(cause);
    if (isForWantOfRoom(cause)) {
      // Even when nothing is published on a full disk: deleting old files is what makes room again.
      retention.apply(clock.millis());
    }
    return fault;
  }

  private static boolean isForWantOfRoom(@Nullable Throwable cause) {
    for (Throwable why = cause; why != null; why = why.getCause()) {
      String said = String.valueOf(why.getMessage());
      if (why instanceof DiskFullException
          || said.contains("No space left")
          || said.contains("quota exceeded")) {
        return true;
      }
    }
    return false;
  }

  /** Describes a failure for the operator, to whom a class name says nothing. */
  private static String described(Exception cause) {
    return switch (cause) {
      case FileAlreadyExistsException taken -> taken.getFile() + " is there and is no folder";
      case NotDirectoryException taken -> taken.getFile() + " is no folder";
      case AccessDeniedException denied -> denied.getFile() + " may not be written";
      case NoSuchFileException gone -> gone.getFile() + " is not there any more";
      default -> cause.toString();
    };
  }

  @Override
  public synchronized void discard() {
    if (volume != null) {
      volume.discard();
    }
    volume = null;
    deleteLeftovers();
    opened = false;
    unsettledFiles = null;
    fault = null;
    published = new StreamCounts();
    publishedEarly = false;
  }

  /** Deletes what is not finished, as far as possible: it is deleted before the next file, too. */
  private void deleteLeftovers() {
    for (Path left : list(hidden)) {
      try {
        disk.delete(left);
      } catch (IOException cannot) {
        LOGGER.log(Level.DEBUG, "an unfinished file is left", cannot);
      }
    }
  }

  private static List<Path> list(Path folder) {
    try {
      return FileRetention.list(folder);
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  @Override
  public synchronized void close() {
    discard();
  }
}
