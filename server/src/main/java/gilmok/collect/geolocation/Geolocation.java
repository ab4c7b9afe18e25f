package gilmok.collect.geolocation;

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
 * The dialect of Transistorsoft's background-geolocation, directly or in Traccar Client 9: a
 * location or an array of them under {@code location} (or under {@code locations}, or without a
 * name, depending on its {@code rootProperty}). Members beside it, the app's {@code params}, go to
 * each event.
 *
 * <p>Its answers can hold calls of the library's methods, as in {@code
 * {"background_geolocation":[["setConfig",{…}]]}}, which the library then makes itself. No such
 * method asks for a position.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public final class Geolocation implements Dialect {
  private static final int NONE = JsonDocument.NONE;
  private static final int COMMANDS_MAX = 16;
  private static final String DEVICE = "device_id";
  private static final String TIME = "timestamp";
  private static final Set<String> OF_UPLOAD = Set.of("location", "locations");

  /**
   * The member in which Traccar Client 9 repeats device, place and time, for servers that read no
   * JSON.
   */
  private static final String REPETITION = "_";

  private final JsonReader reader = new JsonReader();
  private final JsonDocument document = reader.document();
  private final JsonDocument settings = new JsonDocument();
  private int paramsDevice;

  @Override
  public String label() {
    return "geolocation";
  }

  @Override
  public void decode(Upload upload, DialectEvent out) {
    int root = reader.read(upload, out);
    paramsDevice = NONE;
    if (root == NONE) {
      reader.rejectAll("", document.errorReason());
    } else if (document.isObject(root)) {
      int named = document.member(root, "location");
      named = document.isNull(named) ? document.member(root, "locations") : named;
      boolean nameless = document.isNull(named) && document.member(root, "coords") != NONE;
      paramsDevice = nameless ? NONE : document.member(root, DEVICE);
      if (document.isObject(named) || nameless) {
        location(0, nameless ? root : named, nameless ? NONE : root, out);
      } else if (document.isArray(named)) {
        reader.each(named, (index, value) -> location(index, value, root, out));
      } else {
        boolean missing = document.isNull(named);
        reader.rejectAll("location", missing ? Reason.MISSING : Reason.NOT_AN_OBJECT);
      }
    } else if (document.isArray(root)) {
      reader.each(root, (index, value) -> location(index, value, NONE, out));
    } else {
      reader.rejectAll("", Reason.NOT_AN_OBJECT);
    }
  }

  private void location(int index, int value, int params, DialectEvent out) {
    if (!document.isObject(value)) {
      reader.reject(index, value, "location", Reason.NOT_AN_OBJECT);
      return;
    }
    int coords = document.member(value, "coords");
    boolean heartbeat = document.isNull(coords);
    int time = document.member(value, TIME);
    if (heartbeat) {
      reader.beginLog(index, value, "heartbeat");
      reader.atOrNow(TIME, time, PhoneTimes.of(document, time));
    } else {
      reader.begin(EventKind.POSITION, index, value);
      reader.at(TIME, time, PhoneTimes.of(document, time));
    }
    int extras = document.member(value, "extras");
    reader.device(
        DEVICE, paramsDevice, document.member(value, DEVICE), document.member(extras, DEVICE));
    if (!heartbeat) {
      coords(coords, out);
    }
    members(value, heartbeat);
    reader.attributes(extras, Set.of());
    reader.shared(params, OF_UPLOAD);
    out.end();
  }

  private void coords(int coords, DialectEvent out) {
    if (!document.isObject(coords)) {
      out.reject("coords", Reason.NOT_AN_OBJECT);
      return;
    }
    int lat = document.member(coords, "latitude");
    int lon = document.member(coords, "longitude");
    reader.place("latitude", lat, "longitude", lon);
    for (int member = document.first(coords); member != NONE; member = document.next(member)) {
      String name = document.name(member);
      switch (name) {
        case "latitude", "longitude" -> {}
        case "accuracy" -> reader.known(EventField.ACCURACY, name, member);
        case "speed" -> reader.known(EventField.SPEED, name, member);
        case "heading" -> reader.known(EventField.BEARING, name, member);
        case "altitude" -> reader.number(EventField.ALTITUDE, 1, name, member);
        default -> reader.attribute(name, member);
      }
    }
  }

  private void members(int value, boolean heartbeat) {
    for (int member = document.first(value); member != NONE; member = document.next(member)) {
      String name = document.name(member);
      switch (name) {
        case "coords", TIME, REPETITION -> {}
        case "uuid" -> reader.text(EventField.ID, name, member);
        case "battery" -> battery(name, member, heartbeat);
        case "extras" -> {
          if (!document.isObject(member)) {
            reader.attribute(name, member);
          }
        }
        default -> reader.attribute(name, member);
      }
    }
  }

  private void battery(String battery, int value, boolean heartbeat) {
    if (heartbeat || !document.isObject(value)) {
      reader.attribute(battery, value);
      return;
    }
    for (int member = document.first(value); member != NONE; member = document.next(member)) {
      String name = document.name(member);
      if (name.equals("level")) {
        reader.known(EventField.BATTERY, name, member);
      } else {
        reader.attribute(name, member);
      }
    }
  }

  @Override
  public @Nullable String refusal(PhoneCommand command) {
    return switch (command.type()) {
      case REPORT -> "background-geolocation has no command that asks for a position";
      case TEXT -> "background-geolocation takes commands as JSON, not as a text";
      case CONFIGURE ->
          settings.isObject(command.read(settings)) ? null : "the settings must be a JSON object";
      case CUSTOM ->
          isCall(command.read(settings)) || isCalls(command.read(settings))
              ? null
              : "must be a JSON array as [\"start\"] or [[\"changePace\",true],[\"start\"]]";
    };
  }

  @Override
  public int commandsMax() {
    return COMMANDS_MAX;
  }

  @Override
  public void answer(List<PhoneCommand> commands, List<byte[]> friends, JsonBuffer out) {
    int count = 0;
    for (PhoneCommand command : commands) {
      int value = command.read(settings);
      if (command.type() == PhoneCommand.Type.CONFIGURE && settings.isObject(value)) {
        next(count++, out).ascii("[\"setConfig\",");
        settings.copy(value, out);
        out.put(']');
      } else if (command.type() == PhoneCommand.Type.CUSTOM && isCall(value)) {
        settings.copy(value, next(count++, out));
      } else if (command.type() == PhoneCommand.Type.CUSTOM && isCalls(value)) {
        for (int call = settings.first(value); call != NONE; call = settings.next(call)) {
          settings.copy(call, next(count++, out));
        }
      }
    }
    out.ascii(count == 0 ? "{}" : "]}");
  }

  private static JsonBuffer next(int count, JsonBuffer out) {
    return count == 0 ? out.ascii("{\"background_geolocation\":[") : out.put(',');
  }

  /** Whether a value is a call: an array that starts with a method's name. */
  private boolean isCall(int value) {
    return settings.isArray(value) && settings.isText(settings.first(value));
  }

  private boolean isCalls(int value) {
    int call = settings.isArray(value) ? settings.first(value) : NONE;
    if (call == NONE) {
      return false;
    }
    for (; call != NONE; call = settings.next(call)) {
      if (!isCall(call)) {
        return false;
      }
    }
    return true;
  }
}
