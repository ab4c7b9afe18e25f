package gilmok.collect.overland;

import gilmok.collect.dialect.Dialect;
import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.JsonReader;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.dialect.PhoneTimes;
import gilmok.collect.dialect.Upload;
import gilmok.collect.json.JsonDocument;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of Overland: features under {@code locations}; while there is a backlog, the newest
 * one under {@code current}; and the present trip. A feature with a point is a position, unless it
 * reports an action of the app ({@code action}) or summarises a trip ({@code type}): its point is
 * then the last known one, and older than its time. Those features, and features without a point,
 * are log lines.
 *
 * <p>The device is that of the feature, else that beside {@code locations} (Colota), else the
 * upload's. The app's {@code unique_id} is its device's vendor id, the same in all points: an
 * attribute.
 *
 * <p>From version 1.3 on the app takes settings from {@code set} in the answer; earlier versions,
 * and Colota, ignore it.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public final class Overland implements Dialect {
  private static final int NONE = JsonDocument.NONE;
  private static final String DEVICE = "device_id";
  private static final String TIME = "timestamp";
  private static final String NOT_A_FEATURE = "not a feature";

  /**
   * The members that do not become attributes: of the upload, of a position's feature, of other
   * features.
   */
  private static final Set<String> OF_UPLOAD = Set.of("locations", "current", "trip");

  private static final Set<String> OF_POSITION = Set.of("type", "geometry", "properties");
  private static final Set<String> OF_LOG = Set.of("type", "properties");
  private static final Set<String> OF_PROPERTIES = Set.of(TIME);

  private final JsonReader reader = new JsonReader();
  private final JsonDocument document = reader.document();
  private final JsonDocument settings = new JsonDocument();
  private int root;
  private int rootDevice;

  /** The device of the last feature that had one; the trip has none of its own, and gets it. */
  private int lastDevice;

  @Override
  public String label() {
    return "overland";
  }

  @Override
  public void decode(Upload upload, DialectEvent out) {
    root = reader.read(upload, out);
    rootDevice = document.member(root, DEVICE);
    lastDevice = NONE;
    if (root == NONE) {
      reader.rejectAll("", document.errorReason());
      return;
    }
    int locations = document.member(root, "locations");
    int current = document.member(root, "current");
    int trip = document.member(root, "trip");
    if (!document.isObject(root)) {
      reader.rejectAll("", Reason.NOT_AN_OBJECT);
    } else if (!document.isNull(locations) && !document.isArray(locations)) {
      reader.rejectAll("locations", Reason.NOT_AN_ARRAY);
    } else if (document.isNull(locations) && document.isNull(current) && document.isNull(trip)) {
      reader.rejectAll("locations", Reason.MISSING);
    } else {
      int index = reader.each(locations, (i, value) -> feature(i, value, out));
      if (!document.isNull(current)) {
        feature(index++, current, out);
      }
      if (!document.isNull(trip)) {
        trip(index, trip, out);
      }
    }
  }

  private void feature(int index, int value, DialectEvent out) {
    int geometry = document.member(value, "geometry");
    int properties = document.member(value, "properties");
    properties = document.isObject(properties) ? properties : NONE;
    if (!document.isObject(value)) {
      reader.reject(index, value, "", Reason.NOT_AN_OBJECT);
    } else if (!isOfType("Feature", value) && !document.isObject(geometry)) {
      reader.reject(index, value, "type", NOT_A_FEATURE);
    } else {
      String action = reader.textOf(document.member(properties, "action"));
      if (action != null) {
        log(index, value, action, properties, out);
      } else if (isOfType("trip", properties)) {
        log(index, value, "trip", properties, out);
      } else if (isOfType("Point", geometry)) {
        position(index, value, geometry, properties, out);
      } else {
        log(index, value, "feature", properties, out);
      }
    }
  }

  private boolean isOfType(String type, int object) {
    return type.equals(document.text(document.member(object, "type")));
  }

  private void position(int index, int value, int geometry, int properties, DialectEvent out) {
    reader.begin(EventKind.POSITION, index, value);
    device(properties);
    int time = document.member(properties, TIME);
    reader.at(TIME, time, PhoneTimes.of(document, time));
    int coordinates = document.member(geometry, "coordinates");
    int lon = document.isArray(coordinates) ? document.first(coordinates) : NONE;
    int lat = lon == NONE ? NONE : document.next(lon);
    reader.place("coordinates", lat, "coordinates", lon);
    for (int member = document.first(properties); member != NONE; member = document.next(member)) {
      String name = document.name(member);
      switch (name) {
        case TIME -> {}
        case "altitude" -> reader.number(EventField.ALTITUDE, 1, name, member);
        case "speed" -> reader.known(EventField.SPEED, name, member);
        case "course" -> reader.known(EventField.BEARING, name, member);
        case "horizontal_accuracy" -> reader.known(EventField.ACCURACY, name, member);
        case "battery_level" -> reader.known(EventField.BATTERY, name, member);
        default -> reader.attribute(name, member);
      }
    }
    reader.attributes(value, OF_POSITION);
    reader.shared(root, OF_UPLOAD);
    out.end();
  }

  private void log(int index, int value, String message, int properties, DialectEvent out) {
    reader.beginLog(index, value, message);
    device(properties);
    int time = document.member(properties, TIME);
    reader.atOrNow(TIME, time, PhoneTimes.of(document, time));
    reader.attributes(properties, OF_PROPERTIES);
    reader.attributes(value, OF_LOG);
    reader.shared(root, OF_UPLOAD);
    out.end();
  }

  private void device(int properties) {
    int device = reader.device(DEVICE, document.member(properties, DEVICE), rootDevice);
    lastDevice = device == NONE ? lastDevice : device;
  }

  private void trip(int index, int trip, DialectEvent out) {
    if (!document.isObject(trip)) {
      reader.reject(index, trip, "trip", Reason.NOT_AN_OBJECT);
      return;
    }
    reader.beginLog(index, trip, "trip");
    int newest = document.member(document.member(trip, "current_location"), "properties");
    reader.device(DEVICE, lastDevice, rootDevice, document.member(newest, DEVICE));
    reader.atOrNow(TIME, NONE, PhoneTimes.of(document, document.member(newest, TIME)));
    reader.attributes(trip, Set.of());
    out.end();
  }

  @Override
  public @Nullable String refusal(PhoneCommand command) {
    return switch (command.type()) {
      case REPORT -> "Overland has no command that asks for a position";
      case TEXT, CUSTOM -> "Overland takes settings only";
      case CONFIGURE -> {
        int value = command.read(settings);
        if (!settings.isObject(value)) {
          yield "the settings must be a JSON object";
        }
        boolean leaves = isOwnTracks(value, "main") || isOwnTracks(value, "trip");
        yield leaves ? "with logging_mode owntracks it would no longer speak Overland" : null;
      }
    };
  }

  private boolean isOwnTracks(int value, String part) {
    int mode = settings.member(settings.member(value, part), "logging_mode");
    return "owntracks".equals(settings.text(mode));
  }

  @Override
  public int commandsMax() {
    return 1;
  }

  @Override
  public void answer(List<PhoneCommand> commands, List<byte[]> friends, JsonBuffer out) {
    out.ascii("{\"result\":\"ok\"");
    int value = commands.isEmpty() ? NONE : commands.getFirst().read(settings);
    if (settings.isObject(value)) {
      settings.copy(value, out.ascii(",\"set\":"));
    }
    out.put('}');
  }
}
