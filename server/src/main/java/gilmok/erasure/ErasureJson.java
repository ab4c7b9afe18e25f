package gilmok.erasure;

import gilmok.collect.json.JsonDocument;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Erasures as they are stored, in JSON. No state. */
final class ErasureJson {
  private static final int VERSION = 1;

  private ErasureJson() {}

  static byte[] bytes(Erasure erasure) {
    JsonBuffer out = new JsonBuffer().ascii("{\"version\":").number((long) VERSION);
    out.ascii(",\"id\":").string(erasure.id());
    String rider = erasure.riderId();
    if (rider != null) {
      out.ascii(",\"riderId\":").string(rider);
      out.ascii(",\"phones\":").strings(erasure.phones());
    }
    out.ascii(",\"pseudonym\":").string(erasure.pseudonym());
    out.ascii(",\"askedAt\":").number(erasure.askedAtMillis());
    out.ascii(",\"keyId\":").string(erasure.keyId());
    out.ascii(",\"nodes\":{");
    String comma = "";
    for (Map.Entry<String, NodeErasure> node : new TreeMap<>(erasure.nodes()).entrySet()) {
      byte[] state = bytes(node.getValue());
      out.ascii(comma).string(node.getKey()).put(':').raw(state, 0, state.length);
      comma = ",";
    }
    return out.ascii("}}").copy();
  }

  static byte[] bytes(NodeErasure node) {
    JsonBuffer out = new JsonBuffer().ascii("{\"done\":").strings(node.done());
    String begun = node.begun();
    if (begun != null) {
      out.ascii(",\"begun\":").string(begun);
    }
    out.ascii(",\"endedAt\":").number(node.doneAtMillis()).put(',');
    node.write(out);
    return out.put('}').copy();
  }

  /** Reads an erasure; null when the bytes are none that this version knows. */
  static @Nullable Erasure read(byte[] bytes) {
    JsonDocument document = new JsonDocument();
    int root = document.read(bytes, 0, bytes.length);
    if (!document.isObject(root) || number(document, root, "version") != VERSION) {
      return null;
    }
    Map<String, NodeErasure> nodes = new TreeMap<>();
    int all = document.member(root, "nodes");
    for (int one = document.first(all); one != JsonDocument.NONE; one = document.next(one)) {
      nodes.put(document.name(one), node(document, one));
    }
    return new Erasure(
        text(document, root, "id"),
        document.text(document.member(root, "riderId")),
        list(document, document.member(root, "phones"), ErasureJson::text),
        text(document, root, "pseudonym"),
        number(document, root, "askedAt"),
        text(document, root, "keyId"),
        nodes);
  }

  /** Reads the state of a node; as not begun where it cannot be read, as it is idempotent. */
  static NodeErasure node(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    JsonDocument document = new JsonDocument();
    int root = document.read(bytes, 0, bytes.length);
    return document.isObject(root) ? node(document, root) : NodeErasure.BEGIN;
  }

  private static NodeErasure node(JsonDocument document, int node) {
    return new NodeErasure(
        list(document, document.member(node, "done"), ErasureJson::text),
        document.text(document.member(node, "begun")),
        list(document, document.member(node, "stores"), ErasureJson::store),
        number(document, node, "endedAt"));
  }

  private static NodeErasure.Store store(JsonDocument document, int store) {
    return new NodeErasure.Store(
        text(document, store, "store"),
        number(document, store, "erased"),
        number(document, store, "pseudonymised"),
        document.isTrue(document.member(store, "atLeast")),
        list(
            document,
            document.member(store, "left"),
            (its, left) -> new Erasable.Left(text(its, left, "place"), text(its, left, "key"))));
  }

  private static <T> List<T> list(
      JsonDocument document, int array, BiFunction<JsonDocument, Integer, T> one) {
    List<T> all = new ArrayList<>();
    if (document.isArray(array)) {
      for (int each = document.first(array);
          each != JsonDocument.NONE;
          each = document.next(each)) {
        all.add(one.apply(document, each));
      }
    }
    return all;
  }

  private static String text(JsonDocument document, int value) {
    return Objects.requireNonNullElse(document.text(value), "");
  }

  private static String text(JsonDocument document, int object, String name) {
    return Objects.requireNonNullElse(document.text(document.member(object, name)), "");
  }

  private static long number(JsonDocument document, int object, String name) {
    double value = document.number(document.member(object, name));
    return Double.isNaN(value) ? 0 : (long) value;
  }
}
