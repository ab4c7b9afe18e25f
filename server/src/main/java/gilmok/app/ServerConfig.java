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
import gilmok.live.LiveConfig;
import gilmok.missions.MissionsConfig;
import gilmok.pages.PagesConfig;
import gilmok.runsheet.RunSheetConfig;
import gilmok.statements.StatementsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Everything that can be set, part by part.
 *
 * @param operatePort where health and metrics need no key; 0 for nowhere
 * @param stopPatience how long requests under way may take once the server is told to stop
 */
record ServerConfig(
    Path data,
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
    LiveConfig live,
    ShipSettings ship,
    DeliveriesConfig deliveries,
    RelayConfig relay,
    TrackConfig track,
    RunSheetConfig runSheets,
    StatementsConfig statements,
    MissionsConfig missions,
    PagesConfig pages,
    Duration stopPatience) {

  /**
   * Asks every part for its keys.
   *
   * @throws gilmok.config.InvalidSettings naming everything that is wrong
   */
  static ServerConfig from(Settings settings) {
    CollectConfig collect = CollectConfig.from(settings);
    DeliveriesConfig deliveries = DeliveriesConfig.from(settings);
    ServerConfig config =
        new ServerConfig(
            Path.of(settings.text("data", "data")),
            parts(settings),
            HttpConfig.from(settings),
            settings.text("operate.host", "127.0.0.1"),
            settings.number("operate.port", 0, 0, 65535),
            AuthConfig.of(settings),
            collect,
            DevicesConfig.from(settings),
            LogSettings.from(settings, collect.bodyBytesMax()),
            SqliteConfig.from(settings),
            MongoConfig.from(settings),
            LiveConfig.from(settings),
            ShipSettings.from(settings),
            deliveries,
            RelayConfig.from(settings),
            TrackConfig.from(settings),
            RunSheetConfig.from(settings),
            StatementsConfig.from(settings, deliveries.currency()),
            MissionsConfig.from(settings),
            PagesConfig.from(settings),
            settings.duration(
                "stop.patience", "25 s", Duration.ofMillis(1), Duration.ofMinutes(10)));
    settings.finish();
    return config;
  }

  boolean has(Part part) {
    return parts.contains(part);
  }

  private static Set<Part> parts(Settings settings) {
    List<String> words = settings.words("only");
    if (words.isEmpty()) {
      return EnumSet.allOf(Part.class);
    }
    EnumSet<Part> parts = EnumSet.noneOf(Part.class);
    for (String word : words) {
      try {
        parts.add(Part.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')));
      } catch (IllegalArgumentException unknown) {
        settings.problem(
            "only: no part is called \""
                + word
                + "\"; there are collect, live, ship, deliveries, run-sheets, statements"
                + " and missions");
      }
    }
    return parts;
  }
}
