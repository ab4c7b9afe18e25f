package gilmok.lab.deliveries;

import gilmok.lab.GcLog;
import gilmok.lab.LabClient;
import gilmok.lab.ProcessorClock;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.Usage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a long run as CSV, one row a minute: responses and latencies, resource usage, the
 * server's heap, garbage collector and threads. Not thread-safe.
 */
final class MinuteJournal implements AutoCloseable {
  private static final String HEADER =
      "minute,transitions_per_s,p50_ms,p99_ms,p999_ms,max_ms,server_cores,load_cores,other_cores,"
          + "load_average,heap_after_gc_mb,gc_pauses,gc_ms,gc_max_ms,threads_blocked_max,"
          + "wal_pages_max,errors\n";
  private static final Pattern BLOCKED =
      Pattern.compile("^jvm_threads_states_threads\\{.*state=\"blocked\".*} (\\S+)$");
  private static final Pattern WAL =
      Pattern.compile("^gilmok_documents_wal_pages(?:\\{.*})? (\\S+)$");
  private static final Duration SCRAPE_WAIT = Duration.ofSeconds(20);

  private final LabClient client;
  private final Path file;
  private final ProcessorClock server;
  private final @Nullable Path gcLog;
  private final Recorder latencies = LoadRun.recorder();
  private final long startNanos = System.nanoTime();
  private Usage before;
  private long gcLines;
  private int minute;
  private double blockedMax;
  private double walMax;

  /**
   * A journal in a new file.
   *
   * @param gcLog the file of the server's {@code -Xlog:gc:file=}
   */
  MinuteJournal(Path file, URI server, String key, long serverPid, @Nullable Path gcLog)
      throws IOException {
    this.file = file;
    this.client = new LabClient(server.toString(), key, SCRAPE_WAIT);
    this.server = new ProcessorClock(serverPid);
    this.gcLog = gcLog;
    this.before = Usage.now(this.server);
    Files.writeString(file, HEADER);
  }

  /**
   * The recorder for the latencies of all responses, in nanoseconds; for the thread of the load.
   */
  Recorder latencies() {
    return latencies;
  }

  /**
   * Samples the server's values. It is called more often than rows are written, so that short peaks
   * are seen, and writes a row when a minute is over.
   *
   * @param errors so far
   */
  void look(long errors) throws IOException, InterruptedException {
    try {
      LabClient.good("/metrics", client.get("/metrics"))
          .body()
          .lines()
          .forEach(
              line -> {
                blockedMax = Math.max(blockedMax, value(BLOCKED, line));
                walMax = Math.max(walMax, value(WAL, line));
              });
    } catch (IOException e) {
      System.err.println("the server's metrics could not be asked: " + e.getMessage());
    }
    if (TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startNanos) > minute) {
      row(errors);
    }
  }

  private void row(long errors) throws IOException {
    Usage now = Usage.now(server);
    Usage used = now.since(before);
    before = now;
    Histogram minuteLatencies = latencies.getIntervalHistogram();
    GcLog gc = collections();
    double wall = used.wallNanos();
    String row =
        String.format(
            Locale.ROOT,
            "%d,%.1f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.2f,%.1f,%d,%.1f,%.1f,%.0f,%.0f,%d%n",
            ++minute,
            minuteLatencies.getTotalCount() / (wall / 1e9),
            minuteLatencies.getValueAtPercentile(50) / 1e6,
            minuteLatencies.getValueAtPercentile(99) / 1e6,
            minuteLatencies.getValueAtPercentile(99.9) / 1e6,
            minuteLatencies.getMaxValue() / 1e6,
            used.serverNanos() / wall,
            used.ownNanos() / wall,
            (used.machineNanos() - used.serverNanos() - used.ownNanos()) / wall,
            loadAverage(),
            gc.heapAfterMax() / 1e6,
            gc.pauses(),
            gc.pauseMillis(),
            gc.pauseMillisMax(),
            blockedMax,
            walMax,
            errors);
    Files.writeString(file, row, StandardOpenOption.APPEND);
    blockedMax = 0;
    walMax = 0;
  }

  private GcLog collections() throws IOException {
    if (gcLog == null) {
      return GcLog.of(Stream.empty());
    }
    try (Stream<String> lines = Files.lines(gcLog)) {
      return GcLog.of(lines.skip(gcLines).peek(_ -> gcLines++));
    }
  }

  private static double loadAverage() throws IOException {
    return Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
  }

  private static double value(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
  }

  @Override
  public void close() {
    client.close();
  }
}
