package gilmok.phones;

import static gilmok.phones.Guide.set;
import static gilmok.phones.PhoneSetup.encoded;

import gilmok.auth.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The setup of each app: the facts of {@code docs/phones.md} as functions. Every app is set to
 * report often enough to follow a rider: each {@value #INTERVAL_SECONDS} s or {@value
 * #DISTANCE_METRES} m. Stateless and thread-safe.
 */
public final class Guides {
  private static final int INTERVAL_SECONDS = 10;
  private static final int DISTANCE_METRES = 10;
  private static final int SYNC_SECONDS = 60;

  private static final String INTERVAL = Integer.toString(INTERVAL_SECONDS);
  private static final String DISTANCE = Integer.toString(DISTANCE_METRES);

  private Guides() {}

  /** The instructions for one app. */
  public static Guide of(PhoneApp app, PhoneSetup setup) {
    return switch (app) {
      case OWNTRACKS -> owntracks(app, setup);
      case TRACCAR -> traccar(app, setup);
      case OVERLAND -> overland(app, setup);
      case COLOTA -> colota(app, setup);
      case GPSLOGGER -> gpslogger(app, setup);
      case OSMAND -> osmand(app, setup);
      case TRACCAR8 -> traccar8(app, setup);
      case GEOLOCATION -> geolocation(app, setup);
    };
  }

  private static Guide owntracks(PhoneApp app, PhoneSetup setup) {
    String url = setup.at("/pub");
    String user = user(setup.riderId());
    ObjectNode configuration = JsonMapper.shared().createObjectNode();
    configuration.put("_type", "configuration");
    configuration.put("mode", 3);
    configuration.put("url", url);
    configuration.put("auth", true);
    configuration.put("username", user);
    configuration.put("password", setup.key());
    configuration.put("deviceId", "phone");
    configuration.put("tid", trackerId(setup.riderId()));
    configuration.put("monitoring", 2);
    configuration.put("locatorInterval", INTERVAL_SECONDS);
    configuration.put("locatorDisplacement", DISTANCE_METRES);
    configuration.put("moveModeLocatorInterval", INTERVAL_SECONDS);
    configuration.put("cmd", true);
    configuration.put("remoteConfiguration", true);
    return new Guide(
        app,
        user + "-phone",
        "Preferences > Connection (iOS: Settings); then the map's button: Move",
        url,
        List.of(
            set("Mode", "HTTP"),
            set("URL", url),
            set("User ID", user),
            set("Password", setup.key()),
            set("Device ID", "phone"),
            set("Tracker ID", trackerId(setup.riderId())),
            set("Monitoring", "Move"),
            set("Remote commands", "on"),
            set("Remote configuration", "on")),
        "owntracks:///config?inline=" + encoded(base64(configuration)));
  }

  /**
   * The URL always has a path: without one the app appends a slash to the end, which is the key.
   */
  private static Guide traccar(PhoneApp app, PhoneSetup setup) {
    String url = osmandUrl(setup);
    // Not an https link: the app keeps only origin and path of one, and would lose the key.
    String link =
        "org.traccar.client://config?url=%s&id=%s&accuracy=high&distance=%s&interval=%s&buffer=true"
            .formatted(encoded(url), encoded(setup.riderId()), DISTANCE, INTERVAL);
    return new Guide(
        app,
        setup.riderId(),
        "Settings (or scan the code there)",
        url,
        List.of(
            set("Device identifier", setup.riderId()),
            set("Server URL", url),
            set("Location accuracy", "High"),
            set("Distance (meters)", DISTANCE),
            set("Interval (seconds)", INTERVAL),
            set("Offline buffering", "on"),
            set("Continuous tracking", "on")),
        link);
  }

  private static Guide traccar8(PhoneApp app, PhoneSetup setup) {
    String url = osmandUrl(setup);
    return new Guide(
        app,
        setup.riderId(),
        "The main screen",
        url,
        List.of(
            set("Device identifier", setup.riderId()),
            set("Server URL", url),
            set("Location accuracy", "High"),
            set("Frequency", INTERVAL),
            set("Distance", DISTANCE),
            set("Offline buffering", "on"),
            set("Service status", "on")),
        null);
  }

  private static Guide overland(PhoneApp app, PhoneSetup setup) {
    String url = setup.at("/overland");
    return new Guide(
        app,
        setup.riderId(),
        "Settings > Receiver Endpoint",
        url,
        List.of(
            set("Endpoint URL", url),
            set("Device ID", setup.riderId()),
            set("Access Token", setup.key()),
            set("Tracking Mode", "Both"),
            set("Send Interval", INTERVAL + "s")),
        "overland://setup?url=%s&token=%s&device_id=%s"
            .formatted(encoded(url), encoded(setup.key()), encoded(setup.riderId())));
  }

  private static Guide colota(PhoneApp app, PhoneSetup setup) {
    String url = setup.at("/overland");
    ObjectNode config = JsonMapper.shared().createObjectNode();
    config.put("endpoint", url);
    config.put("apiTemplate", "overland");
    config.put("httpMethod", "POST");
    config.put("interval", INTERVAL_SECONDS);
    config.put("distance", DISTANCE_METRES);
    config.put("syncInterval", SYNC_SECONDS);
    config.putObject("auth").put("type", "bearer").put("bearerToken", setup.key());
    config
        .putArray("customFields")
        .addObject()
        .put("key", "device_id")
        .put("value", setup.riderId());
    return new Guide(
        app,
        setup.riderId(),
        "Settings > API Settings, Authentication",
        url,
        List.of(
            set("Template", "Overland"),
            set("Endpoint", url),
            set("Authentication", "Bearer token"),
            set("Token", setup.key()),
            set("Custom field device_id", setup.riderId()),
            set("Interval (s)", INTERVAL),
            set("Distance (m)", DISTANCE),
            set("Sync interval (s)", Integer.toString(SYNC_SECONDS))),
        "colota://setup?config=" + encoded(base64(config)));
  }

  private static Guide gpslogger(PhoneApp app, PhoneSetup setup) {
    String url =
        setup.at("/gpslogger?key=" + encoded(setup.key()) + "&id=" + encoded(setup.riderId()))
            + "&%ALL";
    return new Guide(
        app,
        setup.riderId(),
        "Logging details > Log to custom URL; Performance",
        url,
        List.of(
            set("Log to custom URL", "on"),
            set("URL", url),
            set("HTTP method", "GET"),
            set("Time before logging (s)", INTERVAL),
            set("Distance filter (m)", DISTANCE)),
        null);
  }

  /** Without the speed: this app sends metres a second, but the dialect expects knots. */
  private static Guide osmand(PhoneApp app, PhoneSetup setup) {
    String url =
        osmandUrl(setup)
            + "&id="
            + encoded(setup.riderId())
            + "&lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&bearing={6}";
    return new Guide(
        app,
        setup.riderId(),
        "Plugins > Trip recording > Online tracking",
        url,
        List.of(
            set("Online tracking", "on"),
            set("Web address", url),
            set("Tracking interval", INTERVAL + " s")),
        null);
  }

  private static Guide geolocation(PhoneApp app, PhoneSetup setup) {
    String url = setup.at("/osmand");
    return new Guide(
        app,
        setup.riderId(),
        "BackgroundGeolocation.ready({ http: …, geolocation: … })",
        url,
        List.of(
            set("http.url", url),
            set("http.headers", "X-Api-Key: " + setup.key()),
            set("http.params", "device_id: " + setup.riderId()),
            set("http.batchSync", "true"),
            set("http.maxBatchSize", "50"),
            set("geolocation.distanceFilter", DISTANCE)),
        null);
  }

  /**
   * The user name of a rider in OwnTracks. The app sends it in headers, which hold ASCII without
   * colons, and the server lower-cases it. A hash is added if that loses characters, so that no two
   * riders share a name.
   */
  private static String user(String riderId) {
    if (riderId.matches("[a-z0-9._-]{1,64}")) {
      return riderId;
    }
    String plain = riderId.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
    byte[] hash = Sha256.of(riderId);
    return plain.substring(0, Math.min(plain.length(), 40))
        + "-"
        + HexFormat.of().formatHex(hash, 0, 6);
  }

  private static String osmandUrl(PhoneSetup setup) {
    return setup.at("/osmand?key=" + encoded(setup.key()));
  }

  /** The two letters that mark the phone on the maps of other phones. */
  private static String trackerId(String riderId) {
    String letters = riderId.replaceAll("[^A-Za-z0-9]", "");
    return letters.isEmpty() ? "r" : letters.substring(Math.max(0, letters.length() - 2));
  }

  private static String base64(ObjectNode json) {
    return Base64.getEncoder().encodeToString(json.toString().getBytes(StandardCharsets.UTF_8));
  }
}
