package gilmok.auth;

import static gilmok.auth.KeyFolder.made;
import static gilmok.auth.KeyFolder.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysOnDiskTest {
  private static final String GIVEN = "an-admin-key-of-16+";

  @TempDir Path temporary;
  KeyFolder folder;

  @BeforeEach
  void folder() {
    folder = new KeyFolder(temporary.resolve("data"));
  }

  @Test
  void open_firstStart_makesAnAdminKeyOnce() throws IOException {
    Keys keys = folder.open();
    String key = folder.adminKey();

    assertThat(keys.adminFile()).isEqualTo(folder.adminFile());
    assertThat(keys.check(key, null, null))
        .isInstanceOfSatisfying(
            Principal.class,
            admin -> assertThat(admin.scopes()).isEqualTo(EnumSet.allOf(Scope.class)));
    assertThat(folder.open().check(key, null, null)).isInstanceOf(Principal.class);
    assertThat(folder.adminKey()).isEqualTo(key);
    assertThat(keys.list()).hasSize(1);
  }

  @Test
  void open_onlyAdminRevokedOrExpired_makesAnother() throws IOException {
    Keys keys = folder.open();
    String lost = folder.adminKey();
    keys.revoke(keys.list().getFirst().id());
    assertThat(folder.adminFile()).doesNotExist();
    made(keys, new KeyRequest("a", Set.of(Scope.ADMIN), null, Duration.ofDays(1), null));

    assertThat(folder.open().adminFile()).isNull();
    folder.pass(Duration.ofDays(1));
    Keys again = folder.open();

    assertThat(folder.adminKey()).isNotEqualTo(lost);
    assertThat(again.check(folder.adminKey(), null, null)).isInstanceOf(Principal.class);
  }

  @Test
  void files_written_onlyTheOwnerReadsAndNoSecretInThem() throws IOException {
    Keys keys = folder.open();
    String key = made(keys, named("app", Scope.READ)).key();

    for (Path file : new Path[] {folder.keysFile(), folder.adminFile()}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
    assertThat(folder.keysFile())
        .content()
        .doesNotContain(secret(key), secret(folder.adminKey()))
        .contains("\"format\" : 1");
    try (var files = Files.list(folder.folder)) {
      assertThat(files).containsExactlyInAnyOrder(folder.keysFile(), folder.adminFile());
    }
  }

  @Test
  void open_again_everythingIsThere() throws IOException {
    Keys keys = folder.open();
    made(
        keys,
        new KeyRequest(
            "all",
            EnumSet.of(Scope.READ, Scope.COLLECT),
            new Binding(Binding.Kind.SHOP, "가게 7"),
            Duration.ofSeconds(5),
            9));
    for (Scope scope : Scope.values()) {
      made(keys, named("scope " + scope, scope));
    }

    assertThat(folder.open().list()).isEqualTo(keys.list());
  }

  @Test
  void open_crashBetweenDraftAndRename_theOldKeysAndTheDraftIsGone() throws IOException {
    Keys keys = folder.open();
    String key = made(keys, named("app", Scope.READ)).key();
    Path draft = folder.folder.resolve("keys.json.tmp");
    Files.writeString(draft, "{\"format\":1,\"ke");

    Keys again = folder.open();

    assertThat(again.check(key, null, null)).isInstanceOf(Principal.class);
    made(again, named("next", Scope.READ));
    assertThat(draft).doesNotExist();
    assertThat(folder.open().list()).hasSize(3);
  }

  @Test
  void open_crashBetweenAdminTextAndKeys_anotherAdminKey() throws IOException {
    folder.open();
    String lost = folder.adminKey();
    Files.delete(folder.keysFile());

    Keys keys = folder.open();

    assertThat(keys.check(lost, null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(folder.adminKey(), null, null)).isInstanceOf(Principal.class);
  }

  @Test
  void change_cannotBeWritten_isNotInForce() throws IOException {
    Keys keys = folder.open();
    KeyInfo kept = made(keys, named("kept", Scope.READ)).info();
    Files.delete(folder.keysFile());
    Files.createDirectories(folder.keysFile().resolve("in the way"));

    assertThatThrownBy(() -> keys.create(named("app", Scope.READ))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> keys.revoke(kept.id())).isInstanceOf(IOException.class);

    assertThat(keys.list()).hasSize(2).contains(kept);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"format\":1}",
        "{\"format\":2,\"adminKey\":null,\"keys\":[]}",
        "{\"format\":1,\"adminKey\":7,\"keys\":[]}",
        "{\"format\":1,\"adminKey\":null,\"keys\":[]} x",
        "{\"format\":1,\"adminKey\":null,\"keys\":[{}]}",
        "{\"format\":1,\"adminKey\":null,\"keys\":[7]}"
      })
  void open_damagedFile_refusesNamingIt(String content) throws IOException {
    Files.createDirectories(folder.folder);
    Files.writeString(folder.keysFile(), content);

    assertThatThrownBy(folder::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(folder.keysFile() + " is damaged: ");
    assertThat(folder.keysFile()).hasContent(content);
    assertThat(folder.adminFile()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "hash", "name", "scopes", "createdAt"})
  void open_fieldMissingOrWrong_refuses(String field) throws IOException {
    folder.open();
    String good = Files.readString(folder.keysFile());

    Files.writeString(folder.keysFile(), good.replace("\"" + field + "\"", "\"x\""));
    assertThatThrownBy(folder::open).hasMessageContaining(" is damaged: ");
    Files.writeString(
        folder.keysFile(),
        good.replaceFirst("\"" + field + "\" : [^\n]*", "\"" + field + "\" : 7,"));
    assertThatThrownBy(folder::open).hasMessageContaining(" is damaged: ");
  }

  @Test
  void open_adminKeyGiven_replacesTheFilesKeyWhileGiven() throws IOException {
    folder.open();
    String fromFile = folder.adminKey();

    Keys keys = folder.open(GIVEN);

    assertThat(keys.check(GIVEN, null, null))
        .isInstanceOfSatisfying(
            Principal.class, admin -> assertThat(admin.has(Scope.ADMIN)).isTrue());
    assertThat(keys.check(null, "Bearer " + GIVEN, null)).isInstanceOf(Principal.class);
    assertThat(keys.check(GIVEN + "x", null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(fromFile, null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.list()).isEmpty();
    assertThat(keys.adminFile()).isNull();
    made(keys, named("app", Scope.READ));

    Keys without = folder.open();
    assertThat(without.check(GIVEN, null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(without.check(fromFile, null, null)).isInstanceOf(Principal.class);
    assertThat(without.list()).hasSize(2);
  }

  @Test
  void open_adminKeyGivenAtTheFirstStart_nothingIsWritten() throws IOException {
    Keys keys = folder.open(GIVEN);

    assertThat(folder.keysFile()).doesNotExist();
    assertThat(folder.adminFile()).doesNotExist();
    assertThat(keys.check(GIVEN, null, null)).isInstanceOf(Principal.class);
  }

  @Test
  void open_givenKeyLooksLikeOurs_isTakenToo() throws IOException {
    String key = "gk_aaaaaaaa_bbbbbbbbbbbbbbbb";

    assertThat(folder.open(key).check(key, null, null)).isInstanceOf(Principal.class);
  }

  private static String secret(String key) {
    return key.substring(key.lastIndexOf('_') + 1);
  }
}
