package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class AccessTest {
  @TempDir Path folder;
  private final Access access = new Access();

  @BeforeEach
  void pointAtFolder() {
    access.url = "http://127.0.0.1:8080/";
    access.data = folder;
  }

  @Test
  void target_key_isTheOptionThenTheVariableThenTheFile() throws IOException {
    Files.writeString(folder.resolve("admin.key"), "from-file\n");
    Map<String, String> variable = Map.of(Access.KEY_VARIABLE, "from-variable");
    assertThat(access.target(Map.of()).key()).isEqualTo("from-file");
    assertThat(access.target(variable).key()).isEqualTo("from-variable");
    access.key = "from-option";
    assertThat(access.target(variable).key()).isEqualTo("from-option");
  }

  @Test
  void target_keyThatNobodySees_isInAVariableOrAFile() throws IOException {
    Map<String, String> both =
        Map.of(Access.KEY_VARIABLE, "mine", Access.ADMIN_KEY_VARIABLE, "the admin's");
    assertThat(access.target(both).key()).isEqualTo("mine");
    assertThat(access.target(Map.of(Access.ADMIN_KEY_VARIABLE, "admin")).key()).isEqualTo("admin");
    access.keyFile = Files.writeString(folder.resolve("k"), "of-the-file\n");
    assertThat(access.target(both).key()).isEqualTo("of-the-file");
    access.key = "k";
    assertThatThrownBy(() -> access.target(both)).hasMessageContaining("not with both");
    access.key = null;
    access.keyFile = folder.resolve("gone");
    assertThatThrownBy(() -> access.target(both))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("--key-file " + access.keyFile + " cannot be read");
  }

  /** Java's HTTP client would print the whole key, with a stack trace. */
  @Test
  void target_keyThatIsNone_isNotShown() throws IOException {
    access.keyFile = Files.writeString(folder.resolve("k"), "first hush\nsecond\n");
    assertThatThrownBy(() -> access.target(Map.of()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("the key from " + access.keyFile + " is none")
        .hasMessageNotContaining("hush");
  }

  @Test
  void target_caThatIsNone_isNamed() throws IOException {
    access.key = "k";
    access.ca = folder.resolve("gone");
    assertThatThrownBy(() -> access.target(Map.of()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("gone cannot be read");
    access.ca = Files.writeString(folder.resolve("empty.pem"), "\n");
    assertThatThrownBy(() -> access.target(Map.of()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("holds no certificate");
  }

  @Test
  void target_noKeyAnywhere_saysWhatToDo() {
    assertThatThrownBy(() -> access.target(Map.of()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("admin.key: start the server with ./gilmok serve");
  }

  @Test
  void target_url_isCheckedAndJoined() {
    access.key = "k";
    assertThat(access.target(Map.of()).resolve("/v1/traces"))
        .hasToString("http://127.0.0.1:8080/v1/traces");
    access.url = "localhost:8080";
    assertThatThrownBy(() -> access.target(Map.of()))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("--url localhost:8080 is no URL");
  }
}
