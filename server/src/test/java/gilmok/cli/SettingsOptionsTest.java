package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.InvalidSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Malformed settings files: the message names the place and shows no content, which may be secret.
 */
@Tag("unit")
final class SettingsOptionsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: 1\ntrack.secret: hush\ntrack.secret: hush",
        "a: 1\nredis.url: \"redis://:hush@127.0.0.1/0\nb: 2",
        "a: 1\nredis.url redis://:hush@x\nb: 2",
        "a: [hush, hush\nb: 2",
        "a: *hush",
        "a: !hush hush",
        "%hush",
        "a: |-\n\thush",
        "hush",
      })
  void malformed_isToldWithoutWhatStandsThere(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("g.yaml"), text);
    assertThat(problems(file))
        .singleElement()
        .asString()
        .startsWith("--config " + file + " ")
        .doesNotContain("hush");
  }

  @Test
  void malformed_namesThePlace() throws IOException {
    Path file = Files.writeString(folder.resolve("g.yaml"), "a: 1\nb: \"open\nc: 2\n");
    assertThat(problems(file)).singleElement().asString().contains("no YAML, line ", ", column ");
  }

  @Test
  void unreadable_saysWhy() throws IOException {
    assertThat(problems(folder))
        .containsExactly("--config " + folder + " cannot be read: it is a folder");
    Path gone = folder.resolve("gone");
    assertThat(problems(gone))
        .containsExactly("--config " + gone + " cannot be read: there is no such file");
    Path latin = folder.resolve("latin");
    Files.write(latin, "data: \u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(problems(latin))
        .containsExactly("--config " + latin + " cannot be read: it is not UTF-8");
  }

  private static List<String> problems(Path file) {
    SettingsOptions options = new SettingsOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("settings", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs("--config", file.toString());
    return Assertions.catchThrowableOfType(InvalidSettings.class, options::sources).problems();
  }
}
