package gilmok.app;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files for Compose against its own schema: no engine is there that would start them. */
@Tag("contract")
final class ComposeIT {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"compose.yaml", "compose-nodes.yaml"})
  void file_isWhatComposesSchemaWants_andASlipIsNot(String name) throws Exception {
    ContractTool tool = new ContractTool("compose-schema", folder);

    Path here = folder.resolve("compose.yaml");
    String[] check = {"check-jsonschema", "--builtin-schema=vendor.compose-spec", here.toString()};
    String text = OpsFiles.text(name);
    Files.writeString(here, text);
    tool.run(check);
    Files.writeString(here, text.replace("cap_drop:", "cap_drops:"));
    assertThatThrownBy(() -> tool.run(check))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("'cap_drops' was unexpected");
  }
}
