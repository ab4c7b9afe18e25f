package gilmok.sinks.setup;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.config.InvalidSettings;
import gilmok.log.Log;
import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import gilmok.observe.SlowRequests;
import gilmok.observe.WaitMeter;
import gilmok.redis.Redis;
import gilmok.redis.RedisConfig;
import gilmok.runtime.CloseStack;
import gilmok.shipped.FileLeases;
import gilmok.shipped.ShippedFiles;
import gilmok.sinks.AckPlan;
import gilmok.sinks.Receipts;
import gilmok.sinks.Shipper;
import gilmok.sinks.Sink;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.SinkStatus;
import gilmok.sinks.Sinks;
import gilmok.sinks.SinksContext;
import gilmok.sinks.Tuning;
import gilmok.sinks.file.CompactionMeters;
import gilmok.sinks.file.FileCompaction;
import gilmok.sinks.file.FilesConfig;
import gilmok.sinks.file.FilesErasure;
import gilmok.sinks.file.FilesSink;
import gilmok.sinks.firehose.FirehoseSink;
import gilmok.sinks.kafka.KafkaSink;
import gilmok.sinks.redis.RedisSink;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The shipping of a server: the sinks in its settings, their receipts, and the loops that feed
 * them.
 */
public final class SinksModule implements Drainable {
  private static final Logger LOGGER = System.getLogger("gilmok.sinks");
  private static final Duration PATIENCE_MAX = Duration.ofSeconds(5);

  private final SinksConfig settings;
  private final Path data;
  private final Means means;
  private final Disk disk = new FileDisk();
  private final Map<String, Receipts> receipts = new LinkedHashMap<>();
  private final Map<String, FileLeases> leases = new ConcurrentHashMap<>();
  private final Map<String, ReentrantLock> folderLocks = new ConcurrentHashMap<>();
  private final List<BackgroundLoop> compactions = new ArrayList<>();
  private final Sinks ship;

  /**
   * What shipping needs.
   *
   * @param slowest gets the slowest batches of each sink
   * @param loops gets the loops of sinks that have one
   * @param redis for the sinks that use it; null when none is set
   * @param closeStack gets everything that was opened, for a start that fails later
   */
  public record Means(
      Log log,
      RecordKeys recordKeys,
      Meters meters,
      BackgroundLoops loops,
      SlowRequests slowest,
      InstantSource clock,
      RandomGenerator random,
      @Nullable Redis redis,
      CloseStack closeStack) {}

  /**
   * Makes the sinks and starts to ship.
   *
   * @param ack which of them acknowledges what is collected; null if this node's disk does
   */
  public SinksModule(SinksConfig settings, Path data, Means means, @Nullable AckPlan ack)
      throws IOException, InterruptedException {
    this.settings = settings;
    this.data = data;
    this.means = means;
    disk.createFolder(data.resolve("receipts"));
    List<Sinks.Configured> sinks = new ArrayList<>();
    for (SinkPlan plan : settings.sinks()) {
      Receipts book = receipts(plan.common().name());
      means.closeStack.add(book);
      Sink sink = sink(plan);
      means.closeStack.add(sink);
      sinks.add(new Sinks.Configured(plan.common(), sink, book));
    }
    SinksContext context =
        new SinksContext(
            means.clock,
            means.random,
            means.recordKeys,
            means.meters,
            means.slowest,
            settings.saveInterval(),
            ack);
    ship = Sinks.start(means.log, context, sinks);
    means.closeStack.add(() -> ship.drain(Duration.ZERO));
    for (SinkPlan plan : settings.sinks()) {
      if (plan instanceof SinkPlan.Files files && FileCompaction.isFor(files.config())) {
        compactions.add(compaction(files.config()));
      }
    }
    means.closeStack.add(() -> stopCompactions(Duration.ZERO));
    compactions.forEach(BackgroundLoop::start);
  }

  /** The one client that all parts share; null when no Redis is set. */
  static @Nullable public Redis redis(RedisConfig config, Meters meters, CloseStack closeStack) {
    if (config.url() == null) {
      return null;
    }
    Redis client = new Redis(config, new WaitMeter(meters, "redis"));
    closeStack.add(client);
    return client;
  }

  public Sinks sinks() {
    return ship;
  }

  /** The receipts of each sink, by its name. */
  public Map<String, Receipts> receipts() {
    return receipts;
  }

  @Override
  public String name() {
    return ship.name();
  }

  /**
   * Stops the sinks, then closes what they used. A destination that hangs is not waited for long:
   * the records that it has not acknowledged are sent again after the next start.
   */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    stopCompactions(Duration.ZERO); // one that is interrupted has done nothing
    ship.drain(patience.compareTo(PATIENCE_MAX) < 0 ? patience : PATIENCE_MAX);
    for (Receipts book : receipts.values()) {
      try {
        book.close();
      } catch (IOException cannot) {
        LOGGER.log(
            Level.WARNING,
            "receipts of a sink could not be saved; the newest may be missing, but no"
                + " record: {0}",
            cannot.getMessage());
      }
    }
  }

  /**
   * Applies changed settings to the sinks' tuning. A value that was tuned by hand stays, unless the
   * settings change that very value.
   */
  public void adjust(SinksConfig before, SinksConfig next) {
    Map<String, Tuning> old = tunings(before);
    Map<String, Tuning> wanted = tunings(next);
    for (Shipper shipper : ship.shippers()) {
      Tuning from = old.get(shipper.name());
      Tuning to = wanted.get(shipper.name());
      if (from != null && to != null && !from.equals(to)) {
        shipper.tune(shipper.status().tuning().changed(from, to));
      }
    }
  }

  private static Map<String, Tuning> tunings(SinksConfig config) {
    return config.sinks().stream()
        .map(SinkPlan::common)
        .collect(Collectors.toMap(SinkConfig::name, SinkConfig::tuning));
  }

  private Receipts receipts(String sink) throws IOException {
    Receipts book =
        Receipts.open(
            disk,
            data.resolve("receipts").resolve(sink),
            settings.receiptsKeep(),
            settings.receiptsBytesMax(),
            means.clock);
    receipts.put(sink, book);
    means.meters.gauge(
        "gilmok_receipts_bytes",
        "Bytes of a sink's receipts.",
        book::bytes,
        book::bytesMax,
        "sink",
        sink);
    return book;
  }

  private BackgroundLoop compaction(FilesConfig files) {
    String name = files.common().name();
    FileCompaction work =
        new FileCompaction(
            files,
            data,
            means.log.node(),
            disk,
            means.clock,
            leases(name),
            folderLock(name),
            () -> settled(name),
            new CompactionMeters(means.meters, name));
    return means.loops.optional("compact-" + name, "small files stay", work);
  }

  /** Up to which sequence a sink has settled everything; 0 when there is none of that name. */
  public long settled(String sink) {
    SinkStatus status = ship.status(sink);
    return status == null ? 0 : status.progress().sequence();
  }

  /** Held by whoever replaces files of a sink. */
  private ReentrantLock folderLock(String sink) {
    return folderLocks.computeIfAbsent(sink, _ -> new ReentrantLock());
  }

  /** The leases on a sink's files. */
  private FileLeases leases(String sink) {
    return leases.computeIfAbsent(sink, _ -> new FileLeases());
  }

  /**
   * The Parquet files of a sink, for readers.
   *
   * @param footerBytesMax how much memory footers may take that are kept for the next reader
   */
  public ShippedFiles shippedFiles(FilesConfig files, long footerBytesMax) {
    return new ShippedFiles(
        files.folder(data), disk, leases(files.common().name()), footerBytesMax);
  }

  /** What erases riders from the files of each sink that has files, by the sink's name. */
  public Map<String, FilesErasure> erasures() {
    Map<String, FilesErasure> erasures = new LinkedHashMap<>();
    for (SinkPlan plan : settings.sinks()) {
      if (plan instanceof SinkPlan.Files(FilesConfig files)) {
        String name = files.common().name();
        erasures.put(
            name,
            new FilesErasure(files, data, means.log.node(), disk, leases(name), folderLock(name)));
      }
    }
    return erasures;
  }

  private void stopCompactions(Duration patience) throws InterruptedException {
    for (BackgroundLoop loop : compactions) {
      loop.stop(patience);
    }
  }

  private Sink sink(SinkPlan plan) throws IOException {
    return switch (plan) {
      case SinkPlan.Files files ->
          new FilesSink(files.config(), data, means.log.node(), disk, means.clock, means.meters);
      case SinkPlan.Firehose firehose -> firehose(firehose);
      case SinkPlan.Kafka kafka -> new KafkaSink(kafka.config(), means.meters, means.loops);
      case SinkPlan.Redis plain -> {
        if (means.redis == null) {
          throw new IllegalStateException("no client for " + plain.common().name());
        }
        yield new RedisSink(plain.config(), means.redis, means.clock);
      }
    };
  }

  /** Makes a Firehose sink. A fault in the SDK's own settings is reported like one in ours. */
  private Sink firehose(SinkPlan.Firehose plan) {
    try {
      return new FirehoseSink(plan.config(), plan.common().name(), means.log.node(), means.meters);
    } catch (IllegalArgumentException lacking) {
      throw new InvalidSettings(List.of(String.valueOf(lacking.getMessage())));
    }
  }
}
