package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Linters' rules for documents of OpenAPI: all that they recommend, and nothing is ignored. */
@Tag("contract")
final class ApiRulesIT {
  private static final String DOCUMENT =
      Repository.root().resolve("server/src/main/resources/openapi.yaml").toString();

  @TempDir Path folder;

  @Test
  void spectral() throws Exception {
    Path rules = Files.writeString(folder.resolve("rules.yaml"), "extends: [spectral:oas]\n");
    String said =
        new ContractTool("contract-node", folder)
            .run("spectral", "lint", "--ruleset=" + rules, "--fail-severity=hint", DOCUMENT);
    assertThat(said).contains("No results");
  }

  @Test
  void redocly() throws Exception {
    String said =
        new ContractTool("contract-node", folder)
            .run("redocly", "lint", "--extends=recommended", "--format=json", DOCUMENT);
    assertThat(said).containsPattern("\"errors\": 0,\\s+\"warnings\": 0,\\s+\"ignored\": 0");
  }
}
