package gilmok.audit;

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
   * @param error why the change failed; null as long as it has not
   */
  void write(String id, String node, @Nullable String error, JsonBuffer out) {
    out.ascii("{\"id\":").string(id).ascii(",\"at\":").time(AuditId.millis(id));
    out.ascii(",\"node\":").string(node);
    out.ascii(",\"key\":").string(actor.keyId()).ascii(",\"keyName\":").string(actor.keyName());
    out.ascii(",\"address\":");
    if (actor.address() == null) {
      out.ascii("null");
    } else {
      out.string(actor.address());
    }
    out.ascii(",\"action\":").string(action.label()).ascii(",\"target\":").string(target);
    json(",\"before\":", before, out);
    json(",\"after\":", after, out);
    out.ascii(error == null ? ",\"outcome\":\"done\"" : ",\"outcome\":\"failed\"");
    if (error != null) {
      out.ascii(",\"error\":").string(error);
    }
    out.put('}');
  }

  private static void json(String name, @Nullable String value, JsonBuffer out) {
    out.ascii(name);
    byte[] utf8 = (value == null ? "null" : value).getBytes(StandardCharsets.UTF_8);
    out.raw(utf8, 0, utf8.length);
  }
}
