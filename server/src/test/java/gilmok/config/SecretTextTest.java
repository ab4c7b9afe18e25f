package gilmok.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A secret that is given as a file ({@code <key>-file}). */
@Tag("unit")
class SecretTextTest {
  private static final String SECRET = "no-one-may-see-this";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n"})
  void secret_inAFile_isWhatItHoldsButForALinesEnd(String end) throws IOException {
    Path file = file(SECRET + end);
    Settings settings = new Settings(Map.of("a.secret-file", file.toString()));

    assertThat(settings.secret("a.secret")).isEqualTo(SECRET);
    assertThatCode(settings::finish).doesNotThrowAnyException();
    assertThat(settings.effective())
        .containsEntry("a.secret", "********")
        .containsEntry("a.secret-file", file.toString());
    assertThat(settings.values())
        .as("where it is kept is no other setting")
        .containsExactly(Map.entry("a.secret", SECRET));
  }

  @Test
  void secret_ofMoreLines_losesOneEndAlone() throws IOException {
    Settings settings = new Settings(Map.of("a.secret-file", file("a\nb\n\n").toString()));

    assertThat(settings.secret("a.secret")).isEqualTo("a\nb\n");
  }

  @Test
  void secret_fileInTheEnvironment_isTaken() throws IOException {
    Settings settings =
        new Settings(
            new SettingsSources()
                .environment(Map.of("GILMOK_ADMIN_KEY_FILE", file(SECRET).toString())));

    assertThat(settings.secret("admin-key")).isEqualTo(SECRET);
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @Test
  void secret_givenTwice_isAProblemThatNamesBoth() throws IOException {
    Settings settings =
        new Settings(Map.of("a.secret", SECRET, "a.secret-file", file(SECRET).toString()));

    settings.secret("a.secret");

    assertThat(problems(settings))
        .containsExactly("a.secret and a.secret-file: give one of them, not both");
  }

  @Test
  void secret_emptyBesideAFile_isNotGivenTwice() throws IOException {
    Settings settings =
        new Settings(Map.of("a.secret", "", "a.secret-file", file(SECRET).toString()));

    assertThat(settings.secret("a.secret")).isEqualTo(SECRET);
    assertThatCode(settings::finish).doesNotThrowAnyException();
  }

  @Test
  void secret_unusableFile_isAProblemThatSaysWhy_andNotWhatIsInIt() throws IOException {
    Path large = file(SECRET.repeat(5000));
    Path binary = folder.resolve("binary");
    Files.write(binary, new byte[] {'x', (byte) 0xff});

    assertThat(problem(folder.resolve("none"))).isEqualTo("is not there");
    assertThat(problem(folder)).isEqualTo("is no plain file");
    assertThat(problem(Path.of("/dev/zero"))).isEqualTo("is no plain file");
    assertThat(problem(file(""))).isEqualTo("is empty");
    assertThat(problem(file("\n"))).isEqualTo("is empty");
    assertThat(problem(large)).isEqualTo("is larger than 64 KiB");
    assertThat(problem(binary)).isEqualTo("is no text in UTF-8");
  }

  private static String problem(Path file) {
    Settings settings = new Settings(Map.of("a.secret-file", file.toString()));
    assertThat(settings.secret("a.secret")).isNull();
    List<String> problems = problems(settings);
    assertThat(problems).hasSize(1);
    String before = "a.secret-file: " + file + " ";
    assertThat(problems.getFirst()).startsWith(before).doesNotContain(SECRET);
    return problems.getFirst().substring(before.length());
  }

  private static List<String> problems(Settings settings) {
    return catchThrowableOfType(InvalidSettings.class, settings::finish).problems();
  }

  private Path file(String text) throws IOException {
    Path file = Files.createTempFile(folder, "secret", "");
    return Files.writeString(file, text);
  }
}
