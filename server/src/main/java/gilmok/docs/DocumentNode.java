package gilmok.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of a parsed document. A path that does not exist leads to an empty node; references are
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

  /** A scalar as text; empty for any other node. */
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

  /** The last part of this node's reference; empty if it is none. */
  String referenceName() {
    String reference = reference();
    return reference.substring(reference.lastIndexOf('/') + 1);
  }

  /** The target of this node's reference; this node if it is none. */
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
