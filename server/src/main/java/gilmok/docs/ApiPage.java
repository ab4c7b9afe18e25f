package gilmok.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/** Renders the API's OpenAPI document as a page for people. Not thread-safe: made and used once. */
final class ApiPage {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete");

  private final JsonMapper json = new JsonMapper();
  private final HtmlWriter html = new HtmlWriter();
  private final Schemas schemas = new Schemas(html);
  private final DocumentNode api;
  private final List<Operation> operations = new ArrayList<>();

  private record Operation(String method, String path, DocumentNode node) {
    String id() {
      return node.at("operationId").text();
    }

    /** For whom it is: its one tag. */
    String reader() {
      List<DocumentNode> tags = node.at("tags").items();
      if (tags.size() != 1) {
        throw new IllegalStateException(id() + " has " + tags.size() + " tags, not one");
      }
      return tags.getFirst().text();
    }
  }

  ApiPage(DocumentNode api) {
    this.api = api;
    api.at("paths")
        .members()
        .forEach(
            (path, methods) ->
                methods
                    .members()
                    .forEach(
                        (method, node) -> {
                          if (METHODS.contains(method)) {
                            String shown = method.toUpperCase(Locale.ROOT);
                            operations.add(new Operation(shown, path, node));
                          }
                        }));
  }

  byte[] bytes() {
    html.raw("<header>").element("h1", api.at("info", "title").text() + ": the API");
    html.prose(api.at("info", "description").text());
    html.raw("<p class=\"faint\"><a href=\"/openapi.yaml\">openapi.yaml</a> is what this page is");
    html.raw(
        " made from, <a href=\"/openapi.json\">openapi.json</a> the same as JSON.</p></header>\n");
    contents();
    for (DocumentNode tag : api.at("tags").items()) {
      tag(tag);
    }
    html.raw("<h2 id=\"schemas\">What is sent and answered</h2>\n");
    api.at("components", "schemas").members().forEach(schemas::section);
    return DocsPage.filterBytes("Gilmok: the API", html.toString());
  }

  /** The operations, grouped by reader, with a field that filters them. */
  private void contents() {
    html.raw("<nav aria-label=\"Operations\">\n<p id=\"filtering\" hidden><label>Filter ");
    html.raw("<input id=\"filter\" type=\"search\" autocomplete=\"off\"></label> ");
    html.raw("<span class=\"count\" role=\"status\"><span id=\"found\">" + operations.size());
    html.raw("</span> operations</span></p>\n");
    int shown = 0;
    for (DocumentNode tag : api.at("tags").items()) {
      shown += group(tag.at("name").text());
    }
    html.raw("</nav>\n");
    if (shown != operations.size()) {
      throw new IllegalStateException("operations have tags that the document does not list");
    }
  }

  private int group(String reader) {
    List<Operation> ofReader = of(reader);
    String id = "tag-" + HtmlWriter.escaped(reader);
    html.raw("<div class=\"group\" data-tag=\"" + id + "\">\n<h2><a href=\"#" + id + "\">");
    html.text(reader).raw("</a> <span class=\"count\">" + ofReader.size());
    html.raw("</span></h2>\n<ul>\n");
    for (Operation operation : ofReader) {
      html.raw("<li><span class=\"method\">").text(operation.method()).raw("</span> ");
      html.raw("<a href=\"#" + HtmlWriter.escaped(operation.id()) + "\">");
      html.text(operation.path()).raw("</a> <span class=\"faint\">");
      html.line(operation.node().at("summary").text()).raw("</span></li>\n");
    }
    html.raw("</ul>\n</div>\n");
    return ofReader.size();
  }

  private List<Operation> of(String reader) {
    return operations.stream().filter(one -> one.reader().equals(reader)).toList();
  }

  private void tag(DocumentNode tag) {
    String name = tag.at("name").text();
    html.raw("<div id=\"tag-" + HtmlWriter.escaped(name) + "\">\n").element("h2", name);
    html.raw("\n").prose(tag.at("description").text());
    of(name).forEach(this::operation);
    html.raw("</div>\n");
  }

  private void operation(Operation operation) {
    DocumentNode node = operation.node();
    html.raw(
        "<section id=\"" + HtmlWriter.escaped(operation.id()) + "\"><h3><span class=\"method\">");
    html.text(operation.method()).raw("</span> ").element("code", operation.path());
    html.raw("</h3>\n<p><strong>").line(node.at("summary").text()).raw("</strong><br>");
    html.raw("<span class=\"faint\">").line(keyNeeded(node)).raw("</span></p>\n");
    html.prose(node.at("description").text());
    parameters(node.at("parameters"));
    if (node.at("requestBody").isThere()) {
      html.element("h4", "Body").prose(node.at("requestBody", "description").text());
      content(node.at("requestBody", "content"));
    }
    responses(node.at("responses"));
    html.raw("</section>\n");
  }

  private static String keyNeeded(DocumentNode operation) {
    String scope = operation.at("x-scope").text();
    return scope.isEmpty() ? "Needs no key." : "Needs a key with `" + scope + "`.";
  }

  private void parameters(DocumentNode parameters) {
    if (parameters.items().isEmpty()) {
      return;
    }
    html.element("h4", "Parameters").raw("<div class=\"wide\"><table>\n");
    for (DocumentNode listed : parameters.items()) {
      DocumentNode parameter = listed.resolved();
      html.raw("<tr><td>").element("code", parameter.at("name").text()).raw("</td><td>");
      html.text("in the " + parameter.at("in").text() + ", ");
      schemas.type(parameter.at("schema"));
      html.raw("</td><td>").line(parameter.at("description").text()).raw("</td></tr>\n");
    }
    html.raw("</table></div>\n");
  }

  private void responses(DocumentNode responses) {
    html.element("h4", "Answers").raw("<div class=\"wide\"><table>\n");
    responses
        .members()
        .forEach(
            (status, listed) -> {
              DocumentNode response = listed.resolved();
              html.raw("<tr><td>").element("code", status).raw("</td><td>");
              html.line(response.at("description").text());
              content(response.at("content"));
              html.raw("</td></tr>\n");
            });
    html.raw("</table></div>\n");
  }

  private void content(DocumentNode content) {
    for (Map.Entry<String, DocumentNode> type : content.members().entrySet()) {
      html.raw("<p><code>").text(type.getKey()).raw("</code> ");
      schemas.typeOf(type.getValue());
      html.raw("</p>\n");
      type.getValue()
          .at("examples")
          .members()
          .values()
          .forEach(one -> example(one.at("summary").text(), one.at("value")));
      if (type.getValue().at("example").isThere()) {
        example("Example", type.getValue().at("example"));
      }
    }
  }

  private void example(String summary, DocumentNode value) {
    String text =
        value.text().isEmpty()
            ? json.writerWithDefaultPrettyPrinter().writeValueAsString(value.value())
            : value.text();
    html.raw("<details>").element("summary", summary).element("pre", text.strip());
    html.raw("</details>\n");
  }
}
