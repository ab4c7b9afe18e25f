package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.inventory.DataFolderInventory;
import gilmok.process.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Essential files that a data folder has lost, and how its owner begins anew without them. */
@Tag("server")
final class BeginAnewIT {
  private static final String POSITION = "{\"riderId\":\"rider-1\",\"at\":1,\"lat\":1,\"lon\":1}";

  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void used() throws Exception {
    data = folder.resolve("data");
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(server.post("/v1/traces", POSITION).status()).isEqualTo(202);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "documents.db",
        "devices",
        "repeats.secret",
        "track.secret",
        "session.secret",
        "pseudonym.secret"
      })
  void whatIsGone_isBegunAnewOnlyWhenSaid_andOnce(String name) throws Exception {
    Files.delete(data.resolve(name));
    refused(name);
    refused(name, "begin-anew=" + (name.equals("devices") ? "track.secret" : "devices"));
    RunningServer.start(data, "begin-anew=" + name).close();
    byte[] made = Files.readAllBytes(data.resolve(name));
    try (RunningServer again = RunningServer.start(data, "begin-anew=" + name)) {
      again.awaitReady();
    }
    if (!name.equals("documents.db")) {
      assertThat(data.resolve(name)).as("what is sound is not begun anew").hasBinaryContent(made);
    }
    RunningServer.start(data).close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "documents.db",
        "devices",
        "repeats.secret",
        "track.secret",
        "session.secret",
        "pseudonym.secret"
      })
  void whatIsDamaged_isPutAside(String name) throws Exception {
    byte[] damaged = Files.readAllBytes(data.resolve(name));
    damaged[0] ^= 1;
    Files.write(data.resolve(name), damaged);
    refused(name);
    assertThat(data.resolve(name)).as("nothing was changed").hasBinaryContent(damaged);
    RunningServer.start(data, "begin-anew=" + name).close();
    assertThat(data.resolve(name + ".damaged")).hasBinaryContent(damaged);
    RunningServer.start(data).close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"repeats.secret", "track.secret", "session.secret", "pseudonym.secret"})
  void anotherNodesSecret_isNoticed(String name) throws Exception {
    Path other = folder.resolve("other");
    RunningServer.start(other).close();
    byte[] theirs = Files.readAllBytes(other.resolve(name));
    Files.copy(other.resolve(name), data.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    refused(name);
    RunningServer.start(data, "begin-anew=" + name).close();
    assertThat(data.resolve(name)).as("it is used from now on").hasBinaryContent(theirs);
    RunningServer.start(data).close();
  }

  @Test
  void folderOfAnEarlierVersion_isTakenAsItIs() throws Exception {
    Files.delete(data.resolve(DataFolderInventory.FILE));
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(server.post("/v1/traces", POSITION).body()).contains("\"duplicates\":1");
    }
    assertThat(data.resolve(DataFolderInventory.FILE)).exists();
    Files.delete(data.resolve(DataFolderInventory.FILE));
    Files.delete(data.resolve("repeats.secret"));
    refused("repeats.secret");
  }

  @Test
  void partsThatAreLeftOff_missNothing() throws Exception {
    Files.delete(data.resolve("devices"));
    Files.delete(data.resolve("track.secret"));
    RunningServer.start(data, "only=positions").close();
    RunningServer.start(data, "only=deliveries", "track.secret=of-all-nodes-and-long-enough-0")
        .close();
    refused("devices");
  }

  @Test
  void documentsOfAKilledServer_areThere() throws Exception {
    Path copy = folder.resolve("killed");
    try (RunningServer server = RunningServer.start(data)) {
      server.key("{\"name\":\"late\",\"scopes\":[\"read\"]}");
      FolderDamage.restore(data, copy);
    }
    Files.delete(copy.resolve("gilmok.lock"));
    try (RunningServer again = RunningServer.start(copy, "log.on-clone=keep-id")) {
      assertThat(again.get("/v1/keys").body()).contains("\"late\"");
    }
  }

  private void refused(String name, String... settings) {
    assertThatThrownBy(() -> RunningServer.start(data, settings).close())
        .isInstanceOf(IOException.class)
        .satisfies(
            thrown ->
                assertThat(StartFailure.line((IOException) thrown, data))
                    .startsWith(data.resolve(name) + " is ")
                    .contains("put a backup in its place")
                    .contains("--set begin-anew=" + name)
                    .doesNotContain("\n"));
  }
}
