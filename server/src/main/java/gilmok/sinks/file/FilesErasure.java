package gilmok.sinks.file;

import com.github.luben.zstd.ZstdIOException;
import gilmok.event.ErasedRiders;
import gilmok.log.Stream;
import gilmok.parquet.DamagedParquetException;
import gilmok.shipped.FileLeases;
import gilmok.shipped.ShippedName;
import gilmok.shipped.ShippedName.Kind;
import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Erases riders from what a sink of kind {@code files} has published: rows of traces, actions, logs
 * and quarantined records are left out; in events of deliveries and in the audit the pseudonym
 * takes the place of the id. Rewrite the log first, then have the sink read anew ({@link
 * gilmok.sinks.Sinks#readAnew}): what it then publishes has nothing of them.
 *
 * <p>A Parquet file gets a successor of another name by the steps of {@link HourFolder}, as in a
 * compaction: whoever has listed the file finds it until the leases have ended. A file of lines is
 * written beside itself, forced, and renamed. So each is as before or as it is to be, also after a
 * crash. Idempotent. Files of other nodes in the same folder are left to these nodes. Blocks; one
 * erasure or compaction of a sink at a time.
 */
public final class FilesErasure {
  /** Somebody who reads for longer than this holds an erasure up, and it has to be tried again. */
  private static final Duration LEASES_MAX = Duration.ofMinutes(5);

  private static final long LOOK_MILLIS = 20;
  private static final int BUFFER_BYTES = 256 << 10;

  private final Path folder;
  private final NodeId node;
  private final Disk disk;
  private final FileLeases leases;
  private final ReentrantLock folderLock;
  private final Duration keep;
  private final HourCompaction.Pace pace;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /**
   * What was done.
   *
   * @param files how many files were rewritten or deleted
   * @param erased rows that are gone
   * @param replaced rows that have the pseudonym now
   * @param unreadable files that could not be read, with the reason
   */
  public record Result(long files, long erased, long replaced, List<String> unreadable) {}

  /** Is told after each hour's files. */
  @FunctionalInterface
  public interface Progress {
    /** So many of so many folders are looked through. */
    void reached(long done, long of) throws IOException, InterruptedException;
  }

  /**
   * One that has touched no file yet.
   *
   * @param leases of those who read the files
   * @param folderLock held by whoever replaces files in the folder
   */
  public FilesErasure(
      FilesConfig config,
      Path data,
      NodeId node,
      Disk disk,
      FileLeases leases,
      ReentrantLock folderLock) {
    this(config, data, node, disk, leases, folderLock, new HalfPace());
  }

  FilesErasure(
      FilesConfig config,
      Path data,
      NodeId node,
      Disk disk,
      FileLeases leases,
      ReentrantLock folderLock,
      HourCompaction.Pace pace) {
    this.folder = config.folder(data);
    this.node = node;
    this.disk = disk;
    this.leases = leases;
    this.folderLock = folderLock;
    keep = config.replacing().keep();
    this.pace = pace;
  }

  /** What an erasure has done so far. */
  private static final class Run {
    final ErasedRiders riders;
    final List<HourFolder> replaced = new ArrayList<>();
    final List<String> unreadable = new ArrayList<>();
    long files;
    long erased;
    long changed;

    Run(ErasedRiders riders) {
      this.riders = riders;
    }

    Result result() {
      return new Result(files, erased, changed, List.copyOf(unreadable));
    }
  }

  /** The folder of an hour. */
  record Hour(Stream stream, Path path) {}

  /** Erases them from all files of this node. */
  public Result erase(ErasedRiders riders, Progress progress)
      throws IOException, InterruptedException {
    return erase(hours(), riders, progress);
  }

  /** Erases them from the files of these hours. */
  Result erase(List<Hour> hours, ErasedRiders riders, Progress progress)
      throws IOException, InterruptedException {
    folderLock.lockInterruptibly();
    try {
      finishOthers(hours);
      Run run = new Run(riders);
      for (int i = 0; i < hours.size(); i++) {
        erase(hours.get(i), run);
        progress.reached(i + 1L, hours.size());
      }
      delete(run.replaced);
      return run.result();
    } catch (ClosedByInterruptException stopped) {
      throw new InterruptedException();
    } finally {
      folderLock.unlock();
    }
  }

  private List<Hour> hours() throws IOException {
    List<Hour> hours = new ArrayList<>();
    for (Stream stream : Stream.values()) { // also one that the sink does not take any more
      for (Path date : FileRetention.list(folder.resolve("stream=" + stream.label()))) {
        for (Path hour : FileRetention.list(date)) {
          if (Files.isDirectory(hour)) {
            hours.add(new Hour(stream, hour));
          }
        }
      }
    }
    return hours;
  }

  /** Ends what a compaction, or an erasure that was cut off, has begun: an hour has one intent. */
  private void finishOthers(List<Hour> hours) throws IOException, InterruptedException {
    List<HourFolder> others = new ArrayList<>();
    for (Hour hour : hours) {
      HourFolder found = new HourFolder(disk, hour.path, node, buffer);
      if (found.recover()) {
        others.add(found);
      }
    }
    delete(others);
  }

  /** Deletes what has successors, when nobody reads it any more. */
  private void delete(List<HourFolder> replaced) throws IOException, InterruptedException {
    if (replaced.isEmpty()) {
      return;
    }
    long mark = leases.mark();
    TimeUnit.MILLISECONDS.sleep(keep.toMillis());
    long until = System.nanoTime() + LEASES_MAX.toNanos();
    while (!leases.haveEndedBefore(mark)) {
      if (System.nanoTime() - until > 0) {
        throw new IOException("somebody has been reading the files for minutes; try again");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    for (HourFolder hour : replaced) {
      hour.deleteInputs();
    }
  }

  private void erase(Hour hour, Run run) throws IOException, InterruptedException {
    ErasedRows rows = new ErasedRows(run.riders, hour.stream);
    HourFolder files = new HourFolder(disk, hour.path, node, buffer);
    Map<String, Long> inputs = new HashMap<>();
    List<String> outputs = new ArrayList<>();
    for (ShippedName name : files.files()) {
      String output = rewrite(hour, name, rows, run);
      if (output != null) {
        inputs.putAll(files.sizes(List.of(name)));
        if (!output.isEmpty()) {
          outputs.add(output);
        }
      }
    }
    if (!inputs.isEmpty()) {
      files.replace(inputs, outputs);
      run.replaced.add(files);
    }
    for (String name : disk.list(hour.path)) {
      if (name.startsWith(node + "-") && name.endsWith(FileFormat.NDJSON.suffix())) {
        rewriteLines(hour, name, rows, run);
      }
    }
  }

  /** Returns the name of the successor; an empty one when no row is left; null when all stay. */
  private @Nullable String rewrite(Hour hour, ShippedName name, ErasedRows rows, Run run)
      throws IOException, InterruptedException {
    Path path = hour.path.resolve(name.toString());
    ParquetRewrite rewrite = new ParquetRewrite(disk, buffer, rows, pace);
    try {
      if (!rewrite.changes(path)) {
        return null;
      }
      String successor = successor(hour.path, name);
      Path hidden = hour.path.resolve(CompactionIntent.hidden(successor));
      rewrite.write(path, hidden);
      run.files++;
      run.erased += rewrite.rowsGone();
      run.changed += rewrite.rowsChanged();
      if (rewrite.rowsLeft() == 0) {
        disk.delete(hidden);
        return "";
      }
      return successor;
    } catch (NoSuchFileException deleted) {
      return null; // by the retention
    } catch (DamagedParquetException damaged) {
      run.unreadable.add(String.valueOf(damaged.getMessage()));
      return null;
    }
  }

  /** The name says the same of the records, after one more compaction. */
  private String successor(Path hour, ShippedName name) throws IOException {
    Kind kind = name.kind() == Kind.PUBLISHED ? Kind.ALL : name.kind();
    List<String> taken = disk.list(hour);
    int compaction = name.compaction();
    String successor;
    do {
      successor =
          new ShippedName(
                  name.node(),
                  name.first(),
                  name.last(),
                  ++compaction,
                  kind,
                  name.part(),
                  name.parts(),
                  name.run())
              .toString();
    } while (taken.contains(successor) || taken.contains(CompactionIntent.hidden(successor)));
    return successor;
  }

  private void rewriteLines(Hour hour, String name, ErasedRows rows, Run run)
      throws IOException, InterruptedException {
    Path path = hour.path.resolve(name);
    Path hidden = hour.path.resolve(CompactionIntent.hidden(name));
    NdjsonRewrite rewrite = new NdjsonRewrite(disk, buffer, rows, pace);
    try {
      if (!rewrite.changes(path)) {
        return;
      }
      rewrite.write(path, hidden);
    } catch (NoSuchFileException deleted) {
      return; // by the retention
    } catch (ZstdIOException damaged) {
      run.unreadable.add(path + ": " + damaged.getMessage());
      return;
    }
    if (rewrite.linesLeft() == 0) {
      disk.delete(hidden);
      disk.delete(path);
    } else {
      disk.rename(hidden, path);
    }
    disk.forceFolder(hour.path);
    run.files++;
    run.erased += rewrite.linesGone();
    run.changed += rewrite.linesChanged();
  }
}
