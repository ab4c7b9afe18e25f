package gilmok.docs;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.http.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ErrorsPageTest {
  @Test
  void everyRefusal_hasALineWithItsNameAsAnchor() {
    String page = new String(ErrorsPage.bytes(), StandardCharsets.UTF_8);
    for (Refusal refusal : Refusal.values()) {
      assertThat(page)
          .containsOnlyOnce(
              "<tr id=\"%s\"><td><code>%s</code></td><td>%d</td>"
                  .formatted(refusal.label(), refusal.label(), refusal.status()))
          .contains(HtmlWriter.escaped(refusal.english()), HtmlWriter.escaped(refusal.korean()));
    }
  }

  @Test
  void next_isWhatTheDocumentSays() throws IOException {
    String document = Files.readString(Repository.root().resolve("docs/errors.md"));
    for (Refusal refusal : Refusal.values()) {
      assertThat(document.lines().filter(line -> line.startsWith("| `" + refusal.label() + "` |")))
          .as(refusal.label())
          .singleElement()
          .asString()
          .endsWith("| " + ErrorsPage.next(refusal) + " |");
    }
  }
}
