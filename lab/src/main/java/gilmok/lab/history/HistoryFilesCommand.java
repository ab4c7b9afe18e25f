package gilmok.lab.history;

import gilmok.config.Settings;
import gilmok.observe.Meters;
import gilmok.parquet.ParquetReader;
import gilmok.shipped.FileLeases;
import gilmok.sinks.file.CompactionMeters;
import gilmok.sinks.file.FileCompaction;
import gilmok.sinks.file.FilesConfig;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab history-files}: a month of a made-up fleet as the sink {@code files} and its
 * compaction leave it. All hours but two are written as they are when they are compacted; one is
 * written as it is published, and compacted by the server's own code; the last stays as it was
 * published.
 */
@Command(
    name = "history-files",
    description = {
      "Make the Parquet files of a fleet's month, as a server leaves them.",
      "",
      "The last line on standard output says what was made, as JSON. lab/history asks about them."
    },
    footer = {"", "Examples:", "  gilmok lab history-files --folder /tmp/past --positions 5000000"})
public final class HistoryFilesCommand implements Callable<Integer> {
  private static final String NODE = "abcdefghijkl";

  /** The hours of the last day that are as they were published; the first gets compacted. */
  private static final int COMPACTED_HERE = MadeFleet.LAST_HOUR - 3;

  private static final int LAST_DAY = MadeFleet.DAYS - 1;
  private static final int LAST_HOUR = COMPACTED_HERE + 1;

  @Option(
      names = "--folder",
      required = true,
      paramLabel = "DIR",
      description = "Where they go: the folder of the sink.")
  private Path folder = Path.of(".");

  @Option(
      names = "--positions",
      defaultValue = "200000000",
      paramLabel = "N",
      description = "About how many (default: ${DEFAULT-VALUE}).")
  private long positions;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Makes another fleet (default: ${DEFAULT-VALUE}).")
  private long seed;

  private final Disk disk = new FileDisk();

  private record Made(long rows, long bytes, int files) {}

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    MadeFleet fleet = new MadeFleet(positions, seed);
    long began = System.nanoTime();
    Made all = compacted(fleet);
    double seconds = seconds(System.nanoTime() - began);
    System.err.printf("%,d positions in %.0f s%n", all.rows, seconds);
    MadeHour small = hour(fleet, LAST_DAY, COMPACTED_HERE);
    small.published();
    String compaction = compact(small);
    check(small.folder());
    MadeHour last = hour(fleet, LAST_DAY, LAST_HOUR);
    last.published();
    System.out.printf(
        Locale.ROOT,
        "{\"riders\":%d,\"firstDay\":\"%s\",\"days\":%d,\"positions\":%d,\"seconds\":%.1f,"
            + "\"bytes\":%d,\"files\":%d,\"bytesAPosition\":%.1f,\"smallFiles\":%d,%s}%n",
        fleet.riders() - 1,
        MadeFleet.FIRST_DAY,
        MadeFleet.DAYS,
        all.rows + small.rows() + last.rows(),
        seconds,
        all.bytes,
        all.files,
        (double) all.bytes / (double) all.rows,
        last.files(),
        compaction);
    return 0;
  }

  private MadeHour hour(MadeFleet fleet, int day, int hour) {
    return new MadeHour(fleet, disk, folder, NODE, day, hour);
  }

  private Made compacted(MadeFleet fleet)
      throws IOException, InterruptedException, ExecutionException {
    List<Callable<Made>> hours = new ArrayList<>();
    for (int day = 0; day < MadeFleet.DAYS; day++) {
      for (int hour = MadeFleet.FIRST_HOUR; hour <= MadeFleet.LAST_HOUR; hour++) {
        if (day < LAST_DAY || hour < COMPACTED_HERE) {
          MadeHour one = hour(fleet, day, hour);
          hours.add(
              () -> {
                one.compacted();
                return new Made(one.rows(), one.bytes(), one.files());
              });
        }
      }
    }
    try (ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      Made all = new Made(0, 0, 0);
      for (Future<Made> hour : threads.invokeAll(hours)) {
        Made one = hour.get();
        all = new Made(all.rows + one.rows, all.bytes + one.bytes, all.files + one.files);
      }
      return all;
    }
  }

  /** Has an hour compacted by the server's own code, at the server's own pace. */
  private String compact(MadeHour hour) throws IOException, InterruptedException {
    long[] now = {MadeFleet.hourMillis(LAST_DAY, LAST_HOUR) + MadeFleet.HOUR_MILLIS / 2};
    Map<String, String> settings =
        Map.of("sinks.files.folder", folder.toString(), "sinks.files.format", "parquet");
    var threads = ManagementFactory.getThreadMXBean();
    try (Meters meters = new Meters()) {
      FileCompaction compaction =
          new FileCompaction(
              FilesConfig.from(new Settings(settings), "files"),
              folder,
              NodeId.parse(NODE),
              disk,
              () -> Instant.ofEpochMilli(now[0]),
              new FileLeases(),
              new ReentrantLock(),
              () -> Long.MAX_VALUE,
              new CompactionMeters(meters, "files"));
      long began = System.nanoTime();
      long worked = threads.getCurrentThreadCpuTime();
      while (compaction.pass() == 0) {
        // The next hour.
      }
      double seconds = seconds(System.nanoTime() - began);
      double processor = seconds(threads.getCurrentThreadCpuTime() - worked);
      now[0] += MadeFleet.HOUR_MILLIS; // what is replaced goes after a while
      compaction.pass();
      return String.format(
          Locale.ROOT,
          "\"compaction\":{\"rows\":%d,\"filesIn\":%d,\"filesOut\":%d,\"bytesIn\":%d,"
              + "\"seconds\":%.1f,\"processorSeconds\":%.1f}",
          hour.rows(),
          hour.files(),
          parquet(hour.folder()).size(),
          hour.bytes(),
          seconds,
          processor);
    }
  }

  private static double seconds(long nanos) {
    return (double) nanos / 1e9;
  }

  private static List<Path> parquet(Path hour) throws IOException {
    try (Stream<Path> files = Files.list(hour)) {
      return files.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    }
  }

  /** Holds that what was written here is what the server's compaction writes. */
  private void check(Path compactedByServer) throws IOException {
    Path other = compactedByServer.resolveSibling("hour=" + (COMPACTED_HERE - 1));
    Path theirs = parquet(compactedByServer).getLast();
    Path ours = parquet(other).getLast();
    try (ParquetReader one = ParquetReader.open(disk, theirs);
        ParquetReader two = ParquetReader.open(disk, ours)) {
      boolean isSame =
          theirs.toString().contains("-c1-riders-")
              && ours.toString().contains("-c1-riders-")
              && one.footer().columns().equals(two.footer().columns())
              && one.footer().rows(0) == two.footer().rows(0);
      if (!isSame) {
        throw new IllegalStateException(theirs + " and " + ours + " are of two forms");
      }
    }
  }
}
