package gilmok.lab.sinks;

import gilmok.lab.ProcessorClock;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.RecordKeys;
import gilmok.log.SegmentOwner;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Receipts;
import gilmok.sinks.Shipper;
import gilmok.sinks.Sink;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.SinkLimits;
import gilmok.sinks.SinksContext;
import gilmok.sinks.Tuning;
import gilmok.sinks.Verdict;
import gilmok.storage.DataFolder;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab ship-loop}: ships a data folder to a sink that accepts everything at once. It measures
 * the loop itself, including its receipts and its cursor. Run by {@code lab ship}.
 */
@Command(
    name = "ship-loop",
    hidden = true,
    description = {"Ship a data folder to a sink that acknowledges at once."},
    footer = {"", "Examples:", "  gilmok lab ship-loop --data old-node"})
public final class ShipLoopCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = "The data folder of a stopped server.")
  private Path data = Path.of("data");

  @Override
  public Integer call() throws IOException, InterruptedException {
    FileDisk disk = new FileDisk();
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    // Nothing is appended, so no deduplication key is ever compared.
    RecordKeys keys = (stream, bytes, offset, length, key) -> {};
    LogContext context =
        new LogContext(
            disk, clock, random, keys, LogMeter.NONE, failure -> System.err.println(failure));
    try (Meters meters = new Meters();
        DataFolder folder =
            DataFolder.open(data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, random);
        Log log = Log.open(LogConfig.DEFAULTS, context, folder.path(), folder.node());
        Receipts receipts =
            Receipts.open(
                disk, data.resolve("receipts/all"), Duration.ofDays(1), 1L << 30, clock)) {
      SinksContext shipping = new SinksContext(clock, random, keys, meters, Duration.ofSeconds(1));
      measure(Shipper.start(config(), new All(), receipts, log, shipping), log.durable());
    }
    return 0;
  }

  private static SinkConfig config() {
    Tuning tuning = new Tuning(300, 4 << 20, Duration.ofMillis(100), 4);
    return new SinkConfig(
        "all",
        EnumSet.allOf(Stream.class),
        tuning,
        new SinkLimits(10_000, 4 << 20, 8),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        SinkConfig.From.OLDEST);
  }

  /** Measures from the first quarter, which is the warm-up, to the end. */
  private static void measure(Shipper shipper, long durable) throws InterruptedException {
    ProcessorClock clock = ProcessorClock.own();
    long begun = await(shipper, durable / 4);
    long from = System.nanoTime();
    long processor = clock.nanos();
    long end = await(shipper, durable);
    double seconds = (System.nanoTime() - from) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "{\"positionsPerSecond\":%.0f,\"cores\":%.2f}%n",
        (end - begun) / seconds,
        (clock.nanos() - processor) / 1e9 / seconds);
    shipper.stop(PATIENCE);
  }

  private static long await(Shipper shipper, long sequence) throws InterruptedException {
    long at = shipper.status().progress().sequence();
    while (at < sequence) {
      TimeUnit.MILLISECONDS.sleep(2);
      at = shipper.status().progress().sequence();
    }
    return at;
  }

  /** A sink that accepts everything at once. */
  private static final class All implements Sink {
    @Override
    public String kind() {
      return "all";
    }

    @Override
    public boolean isOrdered() {
      return false;
    }

    @Override
    public Verdict send(Batch batch) {
      StreamCounts counts = new StreamCounts();
      for (int i = 0; i < batch.size(); i++) {
        counts.add(batch.stream(i));
      }
      return new Verdict.Done(counts, "nowhere");
    }

    @Override
    public void close() {}
  }
}
