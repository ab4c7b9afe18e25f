package gilmok.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One place in a parsed document. Going where nothing is leads to an empty place; references are
 * followed. Immutable.
 */
record DocumentNode(Map<?, ?> root, @Nullable Object value) {
  private static final String REFERENCE = "$ref";
  private static final String INSIDE = "#/";

  DocumentNode at(String... names) {
    DocumentNode node = this;
    for (String name : names) {
      node =
          new DocumentNode(root, node.value instanceof Map<?, ?> map ? map.get(name) : null)
              .resolved();
    }
    return node;
  }

  boolean isThere() {
    return value != null;
  }

  /** A scalar as text; empty for anything else. */
  String text() {
    return value == null || value instanceof Map || value instanceof List
        ? ""
        : String.valueOf(value);
  }

  List<DocumentNode> items() {
    List<DocumentNode> items = new ArrayList<>();
    if (value instanceof List<?> list) {
      list.forEach(item -> items.add(new DocumentNode(root, item)));
    }
    return items;
  }

  /** The members in the document's order; references are not followed here. */
  Map<String, DocumentNode> members() {
    Map<String, DocumentNode> members = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (name, member) -> members.put(String.valueOf(name), new DocumentNode(root, member)));
    }
    return members;
  }

  /** The last part of the reference that stands here; empty when none does. */
  String referenceName() {
    String reference = reference();
    return reference.substring(reference.lastIndexOf('/') + 1);
  }

  /** What the reference that stands here points to, or this. */
  DocumentNode resolved() {
    String reference = reference();
    return reference.isEmpty()
        ? this
        : new DocumentNode(root, root).at(reference.substring(INSIDE.length()).split("/", -1));
  }

  private String reference() {
    return value instanceof Map<?, ?> map && map.get(REFERENCE) instanceof String text ? text : "";
  }
}
