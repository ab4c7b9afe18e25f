package gilmok.sinks.file;

import gilmok.background.BackgroundLoop;
import gilmok.background.LowPriority;
import gilmok.log.Stream;
import gilmok.observe.RateLimitedLog;
import gilmok.shipped.FileLeases;
import gilmok.shipped.ShippedName;
import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Makes larger, sorted files of a sink's small Parquet files: of those of an hour that is over, and
 * of every {@link #FILES_MIN} of one that goes on. Of this node's files only, and only of those
 * whose records are settled: others may be sent again. {@link HourFolder} says why no crash loses a
 * record, {@link HourCompaction} what is written.
 *
 * <p>Dates before yesterday are looked at once a day, as only a rewound sink adds to them. Owned by
 * the thread of its loop.
 */
public final class FileCompaction implements BackgroundLoop.Work {
  /** So many small files of an hour that goes on become one. */
  static final int FILES_MIN = 32;

  /** An hour gets no more files when it had none for this long. */
  private static final Duration QUIET_MIN = Duration.ofMinutes(1);

  private static final Duration LOOK = Duration.ofMinutes(1);
  private static final Duration LOOK_AT_ALL = Duration.ofDays(1);

  /** An hour that could not be compacted is tried again after this. */
  private static final Duration FAILED_AGAIN = Duration.ofMinutes(10);

  private static final Duration LATE = Duration.ofHours(1);
  private static final int BUFFER_BYTES = 256 << 10;

  private final FilesConfig config;
  private final Path folder;
  private final NodeId node;
  private final Disk disk;
  private final InstantSource clock;
  private final FileLeases leases;
  private final ReentrantLock folderLock;
  private final LongSupplier settled;
  private final CompactionMeters meters;
  private final HourCompaction.Pace pace;
  private final RateLimitedLog log =
      new RateLimitedLog(
          "gilmok.sinks",
          "files of an hour could not be compacted; no record is lost, and it is retried in ten"
              + " minutes");
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final Deque<Due> due = new ArrayDeque<>();
  private final List<Replaced> replaced = new ArrayList<>();
  private final Map<Path, Long> failedUntilMillis = new HashMap<>();
  private long lookedMillis = Long.MIN_VALUE;
  private long lookedAtAllMillis = Long.MIN_VALUE;
  private boolean hasRecovered;

  /** An hour with files to compact. */
  private record Due(Path hour, boolean isOver) {}

  /** An hour whose inputs are to be deleted. */
  private record Replaced(HourFolder hour, long sinceMillis, long mark) {}

  /**
   * A compaction that has touched no file yet.
   *
   * @param leases of those who read the files
   * @param folderLock held by whoever replaces files in the folder
   * @param settled the sequence up to which the sink has settled every record
   */
  public FileCompaction(
      FilesConfig config,
      Path data,
      NodeId node,
      Disk disk,
      InstantSource clock,
      FileLeases leases,
      ReentrantLock folderLock,
      LongSupplier settled,
      CompactionMeters meters) {
    this(config, data, node, disk, clock, leases, folderLock, settled, meters, new HalfPace());
  }

  FileCompaction(
      FilesConfig config,
      Path data,
      NodeId node,
      Disk disk,
      InstantSource clock,
      FileLeases leases,
      ReentrantLock folderLock,
      LongSupplier settled,
      CompactionMeters meters,
      HourCompaction.Pace pace) {
    this.folderLock = folderLock;
    this.config = config;
    this.folder = config.folder(data);
    this.node = node;
    this.disk = disk;
    this.clock = clock;
    this.leases = leases;
    this.settled = settled;
    this.meters = meters;
    this.pace = pace;
  }

  /** Whether a sink's files are compacted. */
  public static boolean isFor(FilesConfig config) {
    return config.format() == FileFormat.PARQUET && config.replacing().compact();
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    folderLock.lockInterruptibly(); // not while riders are erased
    try {
      return passAlone();
    } finally {
      folderLock.unlock();
    }
  }

  private long passAlone() throws IOException, InterruptedException {
    if (!hasRecovered) {
      LowPriority.lower();
      recover();
      hasRecovered = true;
    }
    deleteReplaced();
    long now = clock.millis();
    if (due.isEmpty() && isTime(lookedMillis, LOOK, now)) {
      look(now);
    }
    Due next = due.poll();
    if (next != null) {
      compact(next);
    }
    meters.waiting(due.size());
    return due.isEmpty() ? LOOK.toNanos() : 0;
  }

  private static boolean isTime(long last, Duration every, long now) {
    return last == Long.MIN_VALUE || now < last || now - last >= every.toMillis();
  }

  /** Finishes what a process before began. */
  private void recover() throws IOException {
    for (Path hour : hours("")) {
      HourFolder found = new HourFolder(disk, hour, node, buffer);
      if (found.recover()) {
        replaced.add(new Replaced(found, clock.millis(), leases.mark()));
      }
    }
  }

  private void deleteReplaced() {
    long now = clock.millis();
    for (var all = replaced.iterator(); all.hasNext(); ) {
      Replaced one = all.next();
      boolean isPast =
          now < one.sinceMillis || now - one.sinceMillis >= config.replacing().keep().toMillis();
      if (isPast && leases.haveEndedBefore(one.mark)) {
        try {
          one.hour.deleteInputs();
          all.remove();
        } catch (IOException cannot) {
          meters.failed();
          log.about(cannot);
        }
      }
    }
  }

  private void look(long now) throws IOException {
    lookedMillis = now;
    String since = "";
    if (isTime(lookedAtAllMillis, LOOK_AT_ALL, now)) {
      lookedAtAllMillis = now;
    } else {
      since = "date=" + yesterday(now);
    }
    failedUntilMillis.values().removeIf(until -> until <= now);
    for (Path hour : hours(since)) {
      FolderHour times = FolderHour.parse(hour, config.zone());
      boolean isReplaced = replaced.stream().anyMatch(one -> one.hour.path().equals(hour));
      if (times != null && !isReplaced && !failedUntilMillis.containsKey(hour)) {
        boolean isOver = now >= times.untilMillis() + quietMillis();
        if (isDue(hour, isOver, now)) {
          due.add(new Due(hour, isOver));
        }
      }
    }
  }

  private LocalDate yesterday(long now) {
    return Instant.ofEpochMilli(now).atZone(config.zone()).toLocalDate().minusDays(1);
  }

  private List<Path> hours(String sinceDate) throws IOException {
    List<Path> hours = new ArrayList<>();
    for (Stream stream : config.common().streams()) {
      for (Path date : FileRetention.list(folder.resolve("stream=" + stream.label()))) {
        if (String.valueOf(date.getFileName()).compareTo(sinceDate) >= 0) {
          hours.addAll(FileRetention.list(date).stream().filter(Files::isDirectory).toList());
        }
      }
    }
    hours.sort(null);
    return hours;
  }

  private boolean isDue(Path hour, boolean isOver, long now) throws IOException {
    List<ShippedName> small = inputs(hour, false);
    if (!isOver) {
      return small.size() >= FILES_MIN;
    }
    return !small.isEmpty() && isQuiet(hour, small, now);
  }

  /** Whether the newest of the files is old enough that no more is to be expected. */
  private boolean isQuiet(Path hour, List<ShippedName> files, long now) throws IOException {
    for (ShippedName file : files) {
      try {
        Path path = hour.resolve(file.toString());
        long age = now - Files.getLastModifiedTime(path).toMillis();
        if (age >= 0 && age < quietMillis()) {
          return false;
        }
      } catch (NoSuchFileException deleted) {
        // By the retention.
      }
    }
    return true;
  }

  private long quietMillis() {
    return Math.max(QUIET_MIN.toMillis(), 2 * config.fileAgeMax().toMillis());
  }

  /** The files of an hour whose records are settled: those as published, or compacted ones too. */
  private List<ShippedName> inputs(Path hour, boolean compactedToo) throws IOException {
    long until = settled.getAsLong();
    return new HourFolder(disk, hour, node, buffer)
        .files().stream()
            .filter(file -> compactedToo || file.compaction() == 0)
            .filter(file -> file.last() <= until)
            .toList();
  }

  private void compact(Due next) throws InterruptedException {
    long began = System.nanoTime();
    HourFolder hour = new HourFolder(disk, next.hour, node, buffer);
    try {
      List<ShippedName> inputs = inputs(next.hour, next.isOver);
      FolderHour times = FolderHour.parse(next.hour, config.zone());
      if (inputs.isEmpty() || times == null) {
        return;
      }
      Map<String, Long> sizes = hour.sizes(inputs);
      HourCompaction compaction =
          new HourCompaction(disk, next.hour, buffer, pace, SortBuffer.ROWS_MAX);
      List<String> outputs = compaction.write(inputs, times.fromMillis() - LATE.toMillis());
      hour.replace(sizes, outputs);
      replaced.add(new Replaced(hour, clock.millis(), leases.mark()));
      meters.compacted(inputs.size(), outputs.size(), compaction.rowsIn(), compaction.rowsOut());
      meters.took(System.nanoTime() - began);
    } catch (ClosedByInterruptException stopped) {
      throw new InterruptedException();
    } catch (IOException | RuntimeException failed) {
      failed(hour, failed);
    }
  }

  private void failed(HourFolder hour, Exception failure) {
    meters.failed();
    log.about(failure);
    failedUntilMillis.put(hour.path(), clock.millis() + FAILED_AGAIN.toMillis());
    try {
      if (hour.recover()) {
        replaced.add(new Replaced(hour, clock.millis(), leases.mark()));
      }
    } catch (IOException later) {
      hasRecovered = false; // it is tried with the next pass
    }
  }
}
