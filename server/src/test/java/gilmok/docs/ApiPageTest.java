package gilmok.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ApiPageTest {
  @Test
  void bytes_textOfTheDocument_isEscaped() {
    String page = page("<script>alert(1)</script> & `a<b` [errors](/docs/errors)");
    assertThat(page)
        .doesNotContain("<script")
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

  private static String page(String description) {
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
            List.of("t"),
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
