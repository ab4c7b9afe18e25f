package gilmok.audit;

import gilmok.event.HiddenKey;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One change that is about to be made. Immutable.
 *
 * @param target the id of what is changed: a key, a partner, a sink, a record, a device
 * @param before what it was, as JSON without secrets; null if it was not there
 * @param after what it is to be, likewise; null if it is taken away
 */
public record AuditEntry(
    AuditAction action,
    Actor actor,
    String target,
    @Nullable String before,
    @Nullable String after) {
  /**
   * Writes the entry as JSON.
   *
   * @param id starts with its time, see {@link AuditId}
   * @param node the node that makes the change
   */
  void write(String id, String node, AuditOutcome outcome, JsonBuffer out) {
    out.ascii("{\"id\":").string(id).ascii(",\"at\":").time(AuditId.millis(id));
    out.ascii(",\"node\":").string(node);
    out.ascii(",\"key\":").string(actor.keyId());
    text(",\"keyName\":", actor.keyName(), out);
    out.ascii(",\"address\":");
    if (actor.address() == null) {
      out.ascii("null");
    } else {
      out.string(actor.address());
    }
    out.ascii(",\"action\":").string(action.label());
    text(",\"target\":", target, out);
    json(",\"before\":", before, out);
    json(",\"after\":", after, out);
    out.ascii(",\"outcome\":").string(outcome.label());
    if (outcome.error() != null) {
      text(",\"error\":", outcome.error(), out);
    }
    out.put('}');
  }

  private static void json(String name, @Nullable String value, JsonBuffer out) {
    out.ascii(name);
    byte[] utf8 = (value == null ? "null" : value).getBytes(StandardCharsets.UTF_8);
    HiddenKey.hide(utf8, 0, utf8.length, out);
  }

  /** A text that somebody has chosen; a key that is in it is not kept. */
  private static void text(String name, String value, JsonBuffer out) {
    JsonBuffer quoted = new JsonBuffer().string(value);
    out.ascii(name);
    HiddenKey.hide(quoted.bytes(), 0, quoted.size(), out);
  }
}
