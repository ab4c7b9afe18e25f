package gilmok.app;

import gilmok.audit.AuditConfig;
import gilmok.auth.AuthConfig;
import gilmok.collect.CollectConfig;
import gilmok.collect.devices.DevicesConfig;
import gilmok.config.Packs;
import gilmok.config.Part;
import gilmok.config.Settings;
import gilmok.deliveries.DeliveriesConfig;
import gilmok.deliveries.relay.RelayConfig;
import gilmok.deliveries.track.TrackConfig;
import gilmok.documents.MongoConfig;
import gilmok.documents.SqliteConfig;
import gilmok.erasure.ErasureConfig;
import gilmok.history.HistoryConfig;
import gilmok.http.AccessLogConfig;
import gilmok.http.HttpConfig;
import gilmok.http.OperateConfig;
import gilmok.inventory.EssentialFile;
import gilmok.jobs.JobsConfig;
import gilmok.ledger.NodeConfig;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogSettings;
import gilmok.log.Stream;
import gilmok.log.StreamRetention;
import gilmok.login.OidcConfig;
import gilmok.missions.MissionsConfig;
import gilmok.observe.machine.FlightRecorderConfig;
import gilmok.pages.PagesConfig;
import gilmok.performance.PerformanceConfig;
import gilmok.positions.PositionsConfig;
import gilmok.privacy.Privacy;
import gilmok.privacy.PrivacyConfig;
import gilmok.redis.RedisConfig;
import gilmok.runsheet.RunSheetConfig;
import gilmok.runtime.LoggingConfig;
import gilmok.runtime.StopConfig;
import gilmok.sinks.Sinks;
import gilmok.sinks.file.ArchiveConfig;
import gilmok.sinks.kafka.KafkaConfig;
import gilmok.sinks.redis.RedisSinkConfig;
import gilmok.sinks.setup.SinkPlan;
import gilmok.sinks.setup.SinksConfig;
import gilmok.statements.StatementsConfig;
import gilmok.storage.DataFolder;
import gilmok.tee.TeeConfig;
import gilmok.trace.TracingConfig;
import gilmok.warmup.WarmUpConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a server: those that belong to no feature, and the configs of the features, by
 * class. Immutable once it is read.
 */
public final class ServerConfig {
  private static final int SHADOW_SEGMENT_BYTES = 32 << 20;
  private static final long SHADOW_LOG_BYTES_MAX = 256L << 20;
  private static final int SHADOW_REPEATS_MAX = 100_000;

  /** A shadow's keys in Redis are not deleted; they expire after this time. */
  private static final Duration SHADOW_KEPT = Duration.ofSeconds(30);

  private final Path data;
  private final Set<EssentialFile> beginAnew;
  private final Set<Part> parts;
  private final Map<Class<?>, Object> features = new HashMap<>();

  /** The settings that it was read from. */
  private Map<String, String> shown = Map.of();

  private ServerConfig(Path data, Set<EssentialFile> beginAnew, Set<Part> parts) {
    this.data = data;
    this.beginAnew = beginAnew;
    this.parts = parts;
  }

  /**
   * Reads the settings of every part.
   *
   * @throws gilmok.config.InvalidSettings naming everything that is wrong
   */
  public static ServerConfig from(Settings settings) {
    ServerConfig config =
        new ServerConfig(
            Path.of(settings.text("data", "data")),
            EssentialFile.givenUp(settings),
            Part.from(settings));
    CollectConfig collect = config.put(CollectConfig.from(settings));
    DeliveriesConfig deliveries = config.put(DeliveriesConfig.from(settings));
    SinksConfig sinks = config.put(SinksConfig.from(settings));
    NodeLog.SinkAcks.check(settings, collect.ack(), sinks, config.has(Part.SINKS));
    config.put(HttpConfig.from(settings));
    config.put(OperateConfig.from(settings));
    config.put(AccessLogConfig.from(settings));
    config.put(TracingConfig.from(settings));
    config.put(FlightRecorderConfig.from(settings));
    config.put(AuthConfig.of(settings));
    config.put(OidcConfig.of(settings));
    config.put(AuditConfig.from(settings));
    config.put(PrivacyConfig.from(settings));
    config.put(DevicesConfig.from(settings));
    config.put(TeeConfig.from(settings));
    config.put(NodeConfig.from(settings));
    config.put(LogSettings.from(settings, collect.bodyBytesMax()));
    config.put(SqliteConfig.from(settings));
    config.put(MongoConfig.from(settings));
    PositionsConfig positions = config.put(PositionsConfig.from(settings));
    switch (positions.follow()) {
      case NONE -> {}
      case REDIS -> checkFollowed(settings, sinks.redisSink());
      case KAFKA -> checkFollowed(settings, sinks.kafkaSink());
    }
    config.put(ArchiveConfig.from(settings));
    config.put(RelayConfig.from(settings));
    config.put(TrackConfig.from(settings));
    config.put(RunSheetConfig.from(settings));
    config.put(StatementsConfig.from(settings, deliveries.currency()));
    config.put(MissionsConfig.from(settings));
    config.put(PerformanceConfig.from(settings));
    config.put(JobsConfig.from(settings));
    config.put(ErasureConfig.from(settings));
    config.put(HistoryConfig.from(settings));
    config.put(PagesConfig.from(settings));
    config.put(WarmUpConfig.from(settings));
    config.put(StopConfig.from(settings, sinks.names()));
    config.put(LoggingConfig.from(settings));
    Packs.check(settings);
    settings.finish();
    config.shown = settings.effective();
    return config;
  }

  /** The settings in force, secrets masked; none of a shadow. */
  Map<String, String> shown() {
    return shown;
  }

  private <T> T put(T feature) {
    features.put(feature.getClass(), feature);
    return feature;
  }

  /** The config of a feature, by its class. */
  public <T> T of(Class<T> kind) {
    return Objects.requireNonNull(kind.cast(features.get(kind)), kind.getName());
  }

  /**
   * The settings of the shadow server that is warmed up in this one's place: the same parts,
   * another folder, only on this machine, with less memory and disk.
   *
   * @param adminKey a random key; given so that the shadow makes no key file
   * @param ownMongo a MongoDB or a database of its own; or none
   * @param ownRedis a Redis or short-lived keys of its own; or none
   * @param overTls whether it is asked over this server's TLS
   */
  public ServerConfig ofShadow(
      Path folder, String adminKey, MongoConfig ownMongo, RedisConfig ownRedis, boolean overTls) {
    ServerConfig shadow = new ServerConfig(folder, Set.of(), parts);
    shadow.features.putAll(features);
    LogConfig log = of(LogSettings.class).config();
    LogConfig small =
        new LogConfig(
            SHADOW_SEGMENT_BYTES,
            log.groupBytesMax(),
            log.groupTicketsMax(),
            SHADOW_LOG_BYTES_MAX,
            Duration.ofSeconds(1),
            Math.min(log.repeatsMax(), SHADOW_REPEATS_MAX),
            log.snapshotInterval(),
            LogConfig.WhenFull.DETACH,
            log.commitInterval());
    shadow.put(of(HttpConfig.class).onLoopback(overTls));
    shadow.put(of(RelayConfig.class).onLoopback());
    shadow.put(of(DeliveriesConfig.class).keepingAll());
    shadow.put(of(StatementsConfig.class).keepingAll());
    shadow.put(OperateConfig.NOWHERE);
    shadow.put(TeeConfig.OFF);
    shadow.put(of(CollectConfig.class).onDisk());
    shadow.put(OidcConfig.OFF);
    shadow.put(of(AccessLogConfig.class).ofShadow());
    shadow.put(FlightRecorderConfig.OFF);
    shadow.put(auth().ofShadow(adminKey));
    shadow.put(of(PrivacyConfig.class).ofShadow());
    shadow.put(
        new LogSettings(small, StreamRetention.of(small.retention()), DataFolder.OnClone.REFUSE));
    shadow.put(ownMongo);
    shadow.put(NodeConfig.UNTOLD);
    shadow.put(sinks().ofTwin(ownRedis));
    shadow.put(of(MissionsConfig.class).cachedAtMost(SHADOW_KEPT).keepingAll());
    shadow.put(of(PositionsConfig.class).alone());
    shadow.put(new WarmUpConfig(false, of(WarmUpConfig.class).limit(), false));
    shadow.put(StopConfig.hasty());
    return shadow;
  }

  /** The path of the data folder. */
  public Path data() {
    return data;
  }

  /** The files of the data folder whose loss its owner has accepted. */
  public Set<EssentialFile> beginAnew() {
    return beginAnew;
  }

  /** The parts to run. */
  Set<Part> parts() {
    return parts;
  }

  /** Whether a part runs. */
  public boolean has(Part part) {
    return parts.contains(part);
  }

  public AuthConfig auth() {
    return of(AuthConfig.class);
  }

  public SinksConfig sinks() {
    return of(SinksConfig.class);
  }

  /** The sinks that run, as the register names them. */
  List<Privacy.Taker> takers(Log log) {
    return (has(Part.SINKS) ? sinks().sinks() : List.<SinkPlan>of())
        .stream()
            .map(SinkPlan::common)
            .map(
                one -> new Privacy.Taker(one.name(), one.streams(), Sinks.settled(log, one.name())))
            .toList();
  }

  /**
   * The folders that a server fills, the data folder first.
   *
   * @param folder its data folder
   */
  List<Path> folders(Path folder) {
    List<Path> all = new ArrayList<>(List.of(folder.toAbsolutePath().normalize()));
    for (SinkPlan plan : sinks().sinks()) {
      if (has(Part.SINKS) && plan instanceof SinkPlan.Files files) {
        all.add(files.config().folder(folder).toAbsolutePath().normalize());
      }
    }
    if (!of(DeliveriesConfig.class).keep().isZero()
        || !of(StatementsConfig.class).keep().isZero()) {
      all.add(of(ArchiveConfig.class).folder(folder).toAbsolutePath().normalize());
    }
    return all;
  }

  /** What to do with a data folder that is a copy. */
  public DataFolder.OnClone onClone() {
    return of(LogSettings.class).onClone();
  }

  /** The files that a server with these settings must not lose. */
  Set<EssentialFile> essentialFiles() {
    Set<EssentialFile> used = EnumSet.of(EssentialFile.REPEATS);
    if (of(MongoConfig.class).uri() == null) {
      used.add(EssentialFile.DOCUMENTS_LOG);
      used.add(EssentialFile.DOCUMENTS);
      if (has(Part.COLLECT)) {
        used.add(EssentialFile.DEVICES);
      }
    }
    if (of(PrivacyConfig.class).pseudonymSecret().isEmpty()) {
      used.add(EssentialFile.PSEUDONYM);
    }
    if (auth().sessionSecrets().isEmpty()) {
      used.add(EssentialFile.SESSION);
    }
    if (has(Part.DELIVERIES) && of(TrackConfig.class).secret().isEmpty()) {
      used.add(EssentialFile.TRACK);
    }
    return used;
  }

  private static void checkFollowed(Settings settings, @Nullable RedisSinkConfig sink) {
    if (sink == null) {
      settings.problem("positions.follow: redis needs a sink of the kind redis in sinks.enabled");
    }
  }

  /** Notes what a sink lacks, so that its topics can be followed. */
  private static void checkFollowed(Settings settings, @Nullable KafkaConfig sink) {
    if (sink == null) {
      settings.problem("positions.follow: kafka needs a sink of the kind kafka in sinks.enabled");
      return;
    }
    String keys = "sinks." + sink.common().name() + ".";
    if (!sink.common().streams().contains(Stream.TRACES)) {
      settings.problem("positions.follow: kafka needs traces in " + keys + "streams");
    }
    if (sink.latest() == null) {
      settings.problem("positions.follow: kafka needs " + keys + "latest-topic");
    }
  }
}
