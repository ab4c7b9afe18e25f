package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of the devices' routes, and reports what is wrong as field and reason.
 *
 * <p>Not thread-safe: one for each event loop.
 */
final class DeviceBody {
  private static final int TEXT_MAX = 128;
  private static final Set<String> TIE = Set.of("riderId", "group");
  private static final Set<String> COMMAND = Set.of("type", "settings", "text");

  private final JsonDocument document = new JsonDocument();
  private final JsonBuffer copy = new JsonBuffer();
  private int root = JsonDocument.NONE;
  private final Fields fields = new Fields(document);

  /** The field that is wrong, after a method has returned null; empty when it is the whole body. */
  String field() {
    return fields.field();
  }

  /** The reason why it is wrong. */
  String reason() {
    return fields.reason();
  }

  /** Parses a body for the methods that follow; false when it is no JSON object. */
  boolean read(byte[] bytes, int offset, int length) {
    root = document.read(bytes, offset, length);
    return document.isObject(root) && document.fault(root) == null;
  }

  /** Reads {@code {riderId, group?}} and applies it to the device; null when something is wrong. */
  @Nullable Device tie(Device device) {
    fields.begin();
    fields.only(root, "", TIE);
    String rider = fields.text(root, "", "riderId", TEXT_MAX);
    String group = fields.text(root, "", "group", TEXT_MAX);
    if (rider == null) {
      fields.wrong("riderId", Reason.MISSING);
    }
    return fields.isGood() ? device.tied(rider, group) : null;
  }

  /** Reads {@code {type, settings? or text?}} to a command; null when something is wrong. */
  @Nullable PhoneCommand command(String id) {
    fields.begin();
    fields.only(root, "", COMMAND);
    PhoneCommand.Type type = PhoneCommand.Type.of(fields.text(root, "", "type", TEXT_MAX));
    String text = fields.text(root, "", "text", 4096);
    String settings = json("settings");
    if (type == null || !fields.isGood()) {
      fields.wrong("type", "must be report, configure, text or custom");
      return null;
    }
    boolean needsText = type == PhoneCommand.Type.TEXT;
    boolean needsJson = type == PhoneCommand.Type.CONFIGURE || type == PhoneCommand.Type.CUSTOM;
    if (needsText != (text != null)) {
      fields.wrong("text", needsText ? "missing" : "is only for the type text");
    }
    if (needsJson != (settings != null)) {
      fields.wrong(
          "settings", needsJson ? "missing" : "is only for the types configure and custom");
    }
    int json = document.member(root, "settings");
    boolean isArray = type == PhoneCommand.Type.CUSTOM && document.isArray(json);
    if (needsJson && !isArray && !document.isObject(json)) {
      fields.wrong("settings", "not an object");
    }
    return fields.isGood() ? new PhoneCommand(id, type, settings, text) : null;
  }

  private @Nullable String json(String name) {
    int value = document.member(root, name);
    if (document.isNull(value)) {
      return null;
    }
    copy.clear();
    document.copy(value, copy);
    return copy.toString();
  }
}
