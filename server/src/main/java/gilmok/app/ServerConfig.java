package gilmok.app;

import gilmok.auth.AuthConfig;
import gilmok.collect.CollectConfig;
import gilmok.collect.devices.DevicesConfig;
import gilmok.config.Settings;
import gilmok.deliveries.DeliveriesConfig;
import gilmok.deliveries.relay.RelayConfig;
import gilmok.deliveries.track.TrackConfig;
import gilmok.documents.MongoConfig;
import gilmok.documents.SqliteConfig;
import gilmok.http.HttpConfig;
import gilmok.log.LogConfig;
import gilmok.missions.MissionsConfig;
import gilmok.pages.PagesConfig;
import gilmok.positions.PositionsConfig;
import gilmok.redis.RedisConfig;
import gilmok.runsheet.RunSheetConfig;
import gilmok.statements.StatementsConfig;
import gilmok.storage.DataFolder;
import gilmok.warmup.WarmUpConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * Everything that can be set, part by part.
 *
 * @param beginAnew files of the data folder whose loss its owner has accepted
 * @param operatePort where health and metrics need no key; 0 for nowhere
 */
record ServerConfig(
    Path data,
    Set<EssentialFile> beginAnew,
    Set<Part> parts,
    HttpConfig http,
    String operateHost,
    int operatePort,
    AuthConfig auth,
    CollectConfig collect,
    DevicesConfig devices,
    LogSettings log,
    SqliteConfig documents,
    MongoConfig mongo,
    PositionsConfig positions,
    SinksConfig sinks,
    DeliveriesConfig deliveries,
    RelayConfig relay,
    TrackConfig track,
    RunSheetConfig runSheets,
    StatementsConfig statements,
    MissionsConfig missions,
    PagesConfig pages,
    WarmUpConfig warmUp,
    StopSettings stop,
    LoggingSettings logging) {

  private static final int TWIN_SEGMENT_BYTES = 32 << 20;
  private static final long TWIN_LOG_BYTES_MAX = 256L << 20;
  private static final int TWIN_REPEATS_MAX = 100_000;

  /** Nobody deletes a twin's keys in Redis: they expire. */
  private static final Duration TWIN_KEPT = Duration.ofSeconds(30);

  /**
   * Asks every part for its keys.
   *
   * @throws gilmok.config.InvalidSettings naming everything that is wrong
   */
  static ServerConfig from(Settings settings) {
    CollectConfig collect = CollectConfig.from(settings);
    DeliveriesConfig deliveries = DeliveriesConfig.from(settings);
    SinksConfig ship = SinksConfig.from(settings);
    ServerConfig config =
        new ServerConfig(
            Path.of(settings.text("data", "data")),
            EssentialFile.givenUp(settings),
            Part.from(settings),
            HttpConfig.from(settings),
            settings.text("operate.host", "127.0.0.1"),
            settings.number("operate.port", 0, 0, 65535),
            AuthConfig.of(settings),
            collect,
            DevicesConfig.from(settings),
            LogSettings.from(settings, collect.bodyBytesMax()),
            SqliteConfig.from(settings),
            MongoConfig.from(settings),
            PositionsConfig.from(settings),
            ship,
            deliveries,
            RelayConfig.from(settings),
            TrackConfig.from(settings),
            RunSheetConfig.from(settings),
            StatementsConfig.from(settings, deliveries.currency()),
            MissionsConfig.from(settings),
            PagesConfig.from(settings),
            new WarmUpConfig(
                settings.flag("warm-up.on", true),
                settings.duration(
                    "warm-up.limit", "15 s", Duration.ofSeconds(1), Duration.ofMinutes(10)),
                settings.flag("warm-up.shared-engines", false)),
            StopSettings.from(settings, ship),
            LoggingSettings.from(settings));
    settings.finish();
    return config;
  }

  /**
   * Those of the server that is warmed up in this one's place: the same parts, over another folder,
   * on this machine alone; and with less memory and disk.
   *
   * @param adminKey so that it makes none, and nobody knows it
   * @param ownMongo a MongoDB or a database of its own; or none
   * @param ownRedis a Redis or keys of its own, of which none stays for long; or none
   */
  ServerConfig ofTwin(Path folder, String adminKey, MongoConfig ownMongo, RedisConfig ownRedis) {
    LogConfig own = log.config();
    LogConfig small =
        new LogConfig(
            TWIN_SEGMENT_BYTES,
            own.groupBytesMax(),
            own.groupTicketsMax(),
            TWIN_LOG_BYTES_MAX,
            Duration.ofSeconds(1),
            Math.min(own.repeatsMax(), TWIN_REPEATS_MAX),
            own.snapshotInterval(),
            LogConfig.WhenFull.DETACH);
    return new ServerConfig(
        folder,
        Set.of(),
        parts,
        http.onLoopback(),
        operateHost,
        0,
        new AuthConfig(adminKey, auth.keysMax(), auth.sessionLifetime(), auth.rate()),
        collect,
        devices,
        new LogSettings(small, DataFolder.OnClone.REFUSE),
        documents,
        ownMongo,
        positions,
        sinks.ofTwin(ownRedis),
        deliveries,
        relay,
        track,
        runSheets,
        statements,
        missions.cachedAtMost(TWIN_KEPT),
        pages,
        new WarmUpConfig(false, warmUp.limit(), false),
        StopSettings.hasty(),
        logging);
  }

  /** How long a part may take to end once the server is told to stop. */
  Duration stopPatience() {
    return stop.patience();
  }

  boolean has(Part part) {
    return parts.contains(part);
  }
}
