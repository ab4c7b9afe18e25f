package gilmok.collect.owntracks;

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
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of OwnTracks: one message, or an array of them. {@code location} is a position. Every
 * other type is a log line, with the type as its message and its members as attributes; if the
 * attributes do not fit, the whole message is set aside. Messages about the app's settings ({@code
 * dump}, {@code configuration}) are kept without the settings that may hold a key.
 *
 * <p>The device is {@code <user>-<device>}. If neither the head nor the query gives one of the two,
 * the message's topic {@code owntracks/<user>/<device>} does; otherwise all phones of a fleet whose
 * app sends no such head would count as one. If the topic does not give them, they are {@code
 * owntracks} and {@code phone}.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public final class OwnTracks implements Dialect {
  private static final int NONE = JsonDocument.NONE;
  private static final int COMMANDS_MAX = 16;
  private static final double KMH_PER_METRE_A_SECOND = 3.6;
  private static final double PERCENT = 100;
  private static final String TYPE = "_type";
  private static final String TIME = "tst";
  private static final String TOPIC_BASE = "owntracks/";

  private static final String NOT_WHOLE = "no room for all of it in a log line";

  /** The app's settings that are secret, or may contain a secret, as the URL may. */
  private static final Set<String> SECRETS =
      Set.of("password", "encryptionKey", "passphrase", "tlsClientCrtPassword", "url");

  private final JsonReader reader = new JsonReader();
  private final JsonDocument document = reader.document();
  private final JsonDocument settings = new JsonDocument();
  private final Friends friends = new Friends();

  @Override
  public String label() {
    return "owntracks";
  }

  @Override
  public void decode(Upload upload, DialectEvent out) {
    int root = reader.read(upload, out);
    if (root == NONE) {
      String reason = document.errorReason();
      if (!reason.equals(Reason.EMPTY)) {
        reader.rejectAll("", reason);
      }
    } else if (document.isArray(root)) {
      reader.each(root, (index, value) -> message(index, value, upload, out));
    } else if (document.isObject(root)) {
      message(0, root, upload, out);
    } else {
      reader.rejectAll("", Reason.NOT_AN_OBJECT);
    }
  }

  private void message(int index, int value, Upload upload, DialectEvent out) {
    int typed = document.member(value, TYPE);
    String type = reader.textOf(typed);
    if (!document.isObject(value)) {
      reader.reject(index, value, "", Reason.NOT_AN_OBJECT);
    } else if (document.isNull(typed)) {
      reader.reject(index, value, TYPE, Reason.MISSING);
    } else if (type == null) {
      String fault = document.isText(typed) ? document.fault(typed) : Reason.NOT_A_STRING;
      reader.reject(index, value, TYPE, fault == null ? Reason.EMPTY : fault);
    } else if (type.equals("location")) {
      location(index, value, upload, out);
    } else {
      log(index, value, type, upload, out);
    }
  }

  private void location(int index, int value, Upload upload, DialectEvent out) {
    reader.begin(EventKind.POSITION, index, value).device("u", device(value, upload));
    int time = document.member(value, TIME);
    reader.at(TIME, time, PhoneTimes.seconds(document.number(time)));
    reader.place("lat", document.member(value, "lat"), "lon", document.member(value, "lon"));
    for (int member = document.first(value); member != NONE; member = document.next(member)) {
      String name = document.name(member);
      switch (name) {
        case TYPE, TIME, "lat", "lon" -> {}
        case "_id" -> reader.text(EventField.ID, name, member);
        case "acc" -> reader.number(EventField.ACCURACY, 1, name, member);
        case "alt" -> reader.number(EventField.ALTITUDE, 1, name, member);
        case "vel" -> reader.number(EventField.SPEED, KMH_PER_METRE_A_SECOND, name, member);
        case "cog" -> reader.number(EventField.BEARING, 1, name, member);
        case "batt" -> reader.number(EventField.BATTERY, PERCENT, name, member);
        default -> reader.attribute(name, member);
      }
    }
    out.end();
  }

  private void log(int index, int value, String type, Upload upload, DialectEvent out) {
    reader.beginLog(index, value, type);
    out.device("u", device(value, upload));
    // A waypoint's time is when it was made, a last will's when the app first connected.
    boolean timed = !type.equals("waypoint") && !type.equals("lwt");
    timed = timed && out.tryAt(PhoneTimes.seconds(document.number(document.member(value, TIME))));
    if (!timed) {
      out.at(TIME, upload.receivedAtMillis());
    }
    boolean tells = type.equals("dump") || type.equals("configuration");
    for (int member = document.first(value); member != NONE; member = document.next(member)) {
      String name = document.name(member);
      switch (name) {
        case TYPE -> {}
        case "_id" -> reader.text(EventField.ID, name, member);
        case TIME -> {
          if (!timed) {
            reader.attribute(name, member);
          }
        }
        default -> {
          if (!tells) {
            reader.attribute(name, member);
          } else if (name.equals("configuration")) {
            reader.attributes(member, SECRETS);
          } else if (!SECRETS.contains(name)) {
            reader.attribute(name, member);
          }
        }
      }
    }
    String fault = document.fault(value);
    // A message about settings is not rejected: a reject is kept as it was sent, secrets included.
    if (!tells && (fault != null || !out.isWhole())) {
      out.reject("", fault == null ? NOT_WHOLE : fault);
    }
    out.end();
  }

  private String device(int message, Upload upload) {
    String user = upload.user();
    String device = upload.device();
    if (user == null && device == null) {
      String topic = reader.textOf(document.member(message, "topic"));
      int from = TOPIC_BASE.length();
      int middle = topic != null && topic.startsWith(TOPIC_BASE) ? topic.indexOf('/', from) : -1;
      if (topic != null && middle > 0) {
        int end = topic.indexOf('/', middle + 1);
        user = topic.substring(from, middle);
        device = topic.substring(middle + 1, end < 0 ? topic.length() : end);
      }
    }
    user = user == null || user.isBlank() ? "owntracks" : user.strip();
    device = device == null || device.isBlank() ? "phone" : device.strip();
    return (user + '-' + device).toLowerCase(Locale.ROOT);
  }

  @Override
  public @Nullable String refusal(PhoneCommand command) {
    return switch (command.type()) {
      case REPORT -> null;
      case TEXT -> "OwnTracks takes commands as JSON, not as a text";
      case CONFIGURE -> {
        int value = command.read(settings);
        boolean wrong = hasOther(value, "configuration") || !settings.isObject(value);
        yield wrong ? "the settings must be a JSON object of _type configuration" : null;
      }
      case CUSTOM -> {
        int value = command.read(settings);
        boolean cmd = settings.isObject(value) && !hasOther(value, "cmd");
        boolean wrong = !settings.isObject(value) || (cmd && !isText(value, "action"));
        yield wrong ? "must be a JSON object; one of _type cmd, or of none, with an action" : null;
      }
    };
  }

  private boolean isText(int object, String name) {
    return settings.isText(settings.member(object, name));
  }

  /** Whether an object has a {@code _type} other than that one. */
  private boolean hasOther(int object, String type) {
    int value = settings.member(object, TYPE);
    return value != NONE && !type.equals(settings.text(value));
  }

  @Override
  public int commandsMax() {
    return COMMANDS_MAX;
  }

  @Override
  public void answer(List<PhoneCommand> commands, List<byte[]> positions, JsonBuffer out) {
    out.put('[');
    boolean first = true;
    for (PhoneCommand command : commands) {
      int value = command.read(settings);
      boolean report = command.type() == PhoneCommand.Type.REPORT;
      if (report || (command.type() != PhoneCommand.Type.TEXT && settings.isObject(value))) {
        if (!first) {
          out.put(',');
        }
        first = false;
        write(command.type(), value, out);
      }
    }
    friends.write(positions, first, out);
    out.put(']');
  }

  private void write(PhoneCommand.Type type, int value, JsonBuffer out) {
    switch (type) {
      case CONFIGURE -> {
        out.ascii("{\"_type\":\"cmd\",\"action\":\"setConfiguration\",\"configuration\":");
        typed("configuration", value, out);
        out.put('}');
      }
      case CUSTOM -> typed("cmd", value, out);
      default -> out.ascii("{\"_type\":\"cmd\",\"action\":\"reportLocation\"}");
    }
  }

  /** Writes an object, with a {@code _type} if it has none. */
  private void typed(String type, int object, JsonBuffer out) {
    boolean added = settings.member(object, TYPE) == NONE;
    out.put('{');
    if (added) {
      out.ascii("\"_type\":\"").ascii(type).put('"');
    }
    for (int member = settings.first(object); member != NONE; member = settings.next(member)) {
      if (added || member != settings.first(object)) {
        out.put(',');
      }
      out.string(settings.name(member)).put(':');
      settings.copy(member, out);
    }
    out.put('}');
  }
}
