package gilmok.docs;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes JSON schemas as HTML. Not thread-safe: writes into one page. */
record Schemas(HtmlWriter html) {
  /** Writes a named schema with all its members. */
  void section(String name, DocumentNode schema) {
    String anchor = HtmlWriter.escaped("schema-" + name);
    html.raw("<section id=\"" + anchor + "\">").element("h3", name);
    html.prose(schema.at("description").text());
    members(schema);
    html.raw("</section>\n");
  }

  /** Writes the type of an object that has a member {@code schema}. */
  void typeOf(DocumentNode owner) {
    type(owner.members().getOrDefault("schema", owner));
  }

  /** Writes a type in a few words; a named one as a link. */
  void type(DocumentNode schema) {
    String name = schema.referenceName();
    if (!name.isEmpty()) {
      html.raw("<a href=\"#schema-" + HtmlWriter.escaped(name) + "\">").text(name).raw("</a>");
      return;
    }
    List<DocumentNode> either = choices(schema);
    if (!either.isEmpty()) {
      for (Iterator<DocumentNode> rest = either.iterator(); rest.hasNext(); ) {
        type(rest.next());
        html.raw(rest.hasNext() ? " or " : "");
      }
      return;
    }
    String type = typeName(schema.at("type"));
    String format = schema.at("format").text();
    html.text(type + (format.isEmpty() ? "" : " (" + format + ")") + bounds(schema));
    if (type.equals("array")) {
      html.raw(" of ");
      type(schema.members().getOrDefault("items", schema));
    }
  }

  private void members(DocumentNode schema) {
    Map<String, DocumentNode> members = schema.at("properties").members();
    if (members.isEmpty()) {
      return;
    }
    Set<String> required =
        schema.at("required").items().stream().map(DocumentNode::text).collect(Collectors.toSet());
    html.raw("<div class=\"wide\"><table>\n");
    members.forEach(
        (name, member) -> {
          html.raw("<tr><td>").element("code", name);
          html.raw(required.contains(name) ? "" : "?").raw("</td><td>");
          type(member);
          html.raw("</td><td>").line(member.resolved().at("description").text());
          nested(member);
          html.raw("</td></tr>\n");
        });
    html.raw("</table></div>\n");
  }

  private void nested(DocumentNode member) {
    if (!member.referenceName().isEmpty()) {
      return;
    }
    members(member);
    DocumentNode items = member.members().get("items");
    if (items != null) {
      nested(items);
    }
    choices(member).forEach(this::nested);
  }

  private static List<DocumentNode> choices(DocumentNode schema) {
    return schema.at(schema.at("anyOf").isThere() ? "anyOf" : "oneOf").items();
  }

  /** A type, or several as in "string or null". */
  private static String typeName(DocumentNode type) {
    return type.items().isEmpty()
        ? type.text()
        : type.items().stream().map(DocumentNode::text).collect(Collectors.joining(" or "));
  }

  private static String bounds(DocumentNode schema) {
    StringBuilder text = new StringBuilder();
    span(text, schema.at("minimum").text(), schema.at("maximum").text(), "");
    span(text, schema.at("minLength").text(), schema.at("maxLength").text(), " characters");
    span(text, schema.at("minItems").text(), schema.at("maxItems").text(), "");
    span(text, "", schema.at("maxProperties").text(), " members");
    List<DocumentNode> choices = schema.at("enum").items();
    if (!choices.isEmpty()) {
      text.append(": ");
      text.append(choices.stream().map(DocumentNode::text).collect(Collectors.joining(", ")));
    }
    return text.toString();
  }

  private static void span(StringBuilder text, String from, String to, String unit) {
    if (!from.isEmpty() && !to.isEmpty()) {
      text.append(", ").append(from).append(" to ").append(to).append(unit);
    } else if (!to.isEmpty()) {
      text.append(", up to ").append(to).append(unit);
    } else if (!from.isEmpty()) {
      text.append(", from ").append(from).append(unit);
    }
  }
}
