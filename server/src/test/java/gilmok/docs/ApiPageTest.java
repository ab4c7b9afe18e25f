package gilmok.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

@Tag("unit")
class ApiPageTest {
  @Test
  void bytes_textOfTheDocument_isEscaped() {
    String page = page("<script>alert(1)</script> & `a<b` [errors](/docs/errors)");
    assertThat(page)
        .doesNotContain("<script>alert")
        .contains(
            "&lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>a&lt;b</code>"
                + " <a href=\"/docs/errors\">errors</a>");
  }

  @Test
  void bytes_linkElsewhere_isNoLink() {
    assertThat(page("[x](https://example.com/) [y](javascript:alert)"))
        .doesNotContain("<a href=\"h")
        .doesNotContain("<a href=\"j");
  }

  @Test
  void bytes_reference_isFollowedForTheAnswerAndLinkedForTheSchema() {
    assertThat(page("text"))
        .contains("Gone home")
        .contains("<a href=\"#schema-Thing\">Thing</a>")
        .contains("<section id=\"schema-Thing\">")
        .contains("<code>size</code></td><td>integer, 1 to 9</td>");
  }

  @Test
  void bytes_everyOperation_standsInExactlyOneGroup() throws Exception {
    String yaml = new String(DocsRoutes.bytes(DocsRoutes.YAML), StandardCharsets.UTF_8);
    Map<?, ?> root = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(yaml);
    DocumentNode api = new DocumentNode(root, root);
    String page = new String(new ApiPage(api).bytes(), StandardCharsets.UTF_8);
    Map<String, List<String>> listed = operations(page, "data-tag=\"tag-", "</span> <a href=\"#");
    Map<String, List<String>> shown = operations(page, "<div id=\"tag-", "<section id=\"");
    assertThat(listed).isEqualTo(shown);
    listed.forEach(
        (group, ids) ->
            assertThat(page)
                .contains(
                    "\"#tag-"
                        + group
                        + "\">"
                        + group
                        + "</a> <span class=\"count\">"
                        + ids.size()));
    assertThat(listed.keySet())
        .containsExactlyElementsOf(
            api.at("tags").items().stream().map(tag -> tag.at("name").text()).toList());
    List<String> operations = new ArrayList<>();
    for (DocumentNode path : api.at("paths").members().values()) {
      for (DocumentNode operation : path.members().values()) {
        if (operation.at("operationId").isThere()) {
          operations.add(operation.at("operationId").text());
        }
      }
    }
    assertThat(listed.values().stream().flatMap(List::stream))
        .hasSizeGreaterThan(70)
        .containsExactlyInAnyOrderElementsOf(operations);
  }

  /** The ids that follow each group's beginning, up to the next group or what follows all. */
  private static Map<String, List<String>> operations(String page, String begin, String item) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    String[] parts = page.split(Pattern.quote(begin), -1);
    for (String part : List.of(parts).subList(1, parts.length)) {
      String group = part.substring(0, part.indexOf('"'));
      String own = part.split("</nav>|<h2 id=\"schemas\"", 2)[0];
      groups.put(
          group,
          Pattern.compile(Pattern.quote(item) + "([^\"]+)\"")
              .matcher(own)
              .results()
              .map(found -> found.group(1))
              .toList());
    }
    return groups;
  }

  @Test
  void bytes_operationOfNoGroup_isABug() {
    assertThatThrownBy(() -> page("text", "elsewhere")).hasMessageContaining("does not list");
    assertThatThrownBy(() -> page("text", "t", "t")).hasMessageContaining("2 tags");
  }

  private static String page(String description) {
    return page(description, "t");
  }

  private static String page(String description, String... tags) {
    Map<String, Object> thing =
        Map.of(
            "type",
            "object",
            "required",
            List.of("size"),
            "properties",
            Map.of("size", Map.of("type", "integer", "minimum", 1, "maximum", 9)));
    Map<String, Object> answer =
        Map.of(
            "description",
            "Gone home",
            "content",
            Map.of(
                "application/json",
                Map.of("schema", Map.of("$ref", "#/components/schemas/Thing"))));
    Map<String, Object> operation =
        Map.of(
            "tags",
            List.of(tags),
            "operationId",
            "op",
            "description",
            description,
            "responses",
            Map.of("200", Map.of("$ref", "#/components/responses/Gone")));
    Map<String, Object> root =
        Map.of(
            "tags",
            List.of(Map.of("name", "t")),
            "paths",
            Map.of("/x", Map.of("get", operation)),
            "components",
            Map.of("schemas", Map.of("Thing", thing), "responses", Map.of("Gone", answer)));
    return new String(new ApiPage(new DocumentNode(root, root)).bytes(), StandardCharsets.UTF_8);
  }
}
