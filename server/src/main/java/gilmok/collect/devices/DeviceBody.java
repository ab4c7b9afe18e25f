package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.json.JsonDocument;
import gilmok.event.JsonBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of the devices' routes; what is wrong is told as field and reason.
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
  private String field = "";
  private String reason = "";

  /** What is wrong, after null was answered; empty when it is the whole body. */
  String field() {
    return field;
  }

  /** Why. */
  String reason() {
    return reason;
  }

  /** Takes a body of which the others then read; false when it is no JSON object. */
  boolean read(byte[] bytes, int offset, int length) {
    root = document.read(bytes, offset, length);
    return document.isObject(root) && document.fault(root) == null;
  }

  /** {@code {riderId, group?}}; null when something is wrong. */
  @Nullable Device tie(Device device) {
    if (!hasOnly(TIE)) {
      return null;
    }
    String rider = text("riderId", TEXT_MAX);
    String group = text("group", TEXT_MAX);
    if (rider == null && reason.isEmpty()) {
      wrong("riderId", "missing");
    }
    return reason.isEmpty() ? device.tied(rider, group) : null;
  }

  /** {@code {type, settings? or text?}}; null when something is wrong. */
  @Nullable PhoneCommand command(String id) {
    if (!hasOnly(COMMAND)) {
      return null;
    }
    PhoneCommand.Type type = PhoneCommand.Type.of(text("type", TEXT_MAX));
    String text = text("text", 4096);
    String settings = json("settings");
    if (type == null || !reason.isEmpty()) {
      wrong("type", "must be report, configure, text or custom");
      return null;
    }
    boolean needsText = type == PhoneCommand.Type.TEXT;
    boolean needsJson = type == PhoneCommand.Type.CONFIGURE || type == PhoneCommand.Type.CUSTOM;
    if (needsText != (text != null)) {
      wrong("text", needsText ? "missing" : "is only for the type text");
    }
    if (needsJson != (settings != null)) {
      wrong("settings", needsJson ? "missing" : "is only for the types configure and custom");
    }
    int json = document.member(root, "settings");
    boolean isArray = type == PhoneCommand.Type.CUSTOM && document.isArray(json);
    if (needsJson && !isArray && !document.isObject(json)) {
      wrong("settings", "not an object");
    }
    return reason.isEmpty() ? new PhoneCommand(id, type, settings, text) : null;
  }

  private boolean hasOnly(Set<String> known) {
    field = "";
    reason = "";
    for (int member = document.first(root);
        member != JsonDocument.NONE;
        member = document.next(member)) {
      String name = document.name(member);
      if (!known.contains(name)) {
        wrong(name, "is not a field of this");
      } else if (document.member(root, name) != member) {
        wrong(name, "given twice");
      }
    }
    return reason.isEmpty();
  }

  private @Nullable String text(String name, int max) {
    int value = document.member(root, name);
    if (document.isNull(value)) {
      return null;
    }
    String text = document.text(value);
    if (text == null) {
      wrong(name, "not a string");
    } else if (text.isBlank()) {
      wrong(name, "empty");
    } else if (text.codePointCount(0, text.length()) > max) {
      wrong(name, "too long");
    } else if (text.chars().anyMatch(Character::isISOControl)) {
      wrong(name, "control character");
    }
    return text;
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

  private void wrong(String name, String why) {
    if (reason.isEmpty()) {
      field = name;
      reason = why;
    }
  }
}
