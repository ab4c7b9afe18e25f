package gilmok.auth;

import static gilmok.auth.KeyFolder.made;
import static gilmok.auth.KeyFolder.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import gilmok.documents.SqliteDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class KeysOnDiskTest {
  private static final String GIVEN = "an-admin-key-of-16+";

  /** A file {@code keys.json} of format 1; the secret of both keys is "secret". */
  private static final String OF_BEFORE =
      """
      {"format":1,"adminKey":"aaaaaaaaaaaa","keys":[
       {"id":"aaaaaaaaaaaa","name":"admin","scopes":["collect","read","operate","admin"],
        "hash":"2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
        "createdAt":"2026-11-20T09:00:00Z"},
       {"id":"bbbbbbbbbbbb","name":"app","scopes":["collect"],"shop":"7","rate":9,
        "hash":"2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
        "createdAt":"2026-11-20T10:00:00Z"}]}
      """;

  @TempDir Path temporary;
  KeyFolder folder;

  @BeforeEach
  void folder() {
    folder = new KeyFolder(temporary.resolve("data"));
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
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

    try (Stream<Path> files = Files.list(folder.folder)) {
      assertThat(files)
          .contains(folder.adminFile(), folder.folder.resolve(SqliteDatabase.FILE))
          .doesNotContain(folder.keysFile())
          .allSatisfy(
              file -> {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
                if (!file.equals(folder.adminFile())) {
                  assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                      .doesNotContain(secret(key), secret(folder.adminKey()));
                }
              });
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
  void open_crashBetweenAdminTextAndKeys_anotherAdminKey() throws IOException {
    Files.createDirectories(folder.folder);
    Files.writeString(folder.adminFile(), "gk_aaaaaaaaaaaa_" + "b".repeat(52) + "\n");
    String lost = folder.adminKey();

    Keys keys = folder.open();

    assertThat(keys.check(lost, null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(folder.adminKey(), null, null)).isInstanceOf(Principal.class);
  }

  @Test
  void change_cannotBeWritten_isNotInForce() throws IOException {
    Keys keys = folder.open();
    KeyInfo kept = made(keys, named("kept", Scope.READ)).info();
    folder.close();

    assertThatThrownBy(() -> keys.create(named("app", Scope.READ))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> keys.revoke(kept.id())).isInstanceOf(IOException.class);

    assertThat(keys.list()).hasSize(2).contains(kept);
  }

  @Test
  void open_keysJsonOfBefore_becomesDocumentsAndIsGone() throws IOException {
    Files.createDirectories(folder.folder);
    Files.writeString(folder.keysFile(), OF_BEFORE);

    Keys keys = folder.open();

    assertThat(folder.keysFile()).doesNotExist();
    assertThat(folder.adminFile()).doesNotExist();
    assertThat(keys.list())
        .extracting(KeyInfo::id, KeyInfo::name, KeyInfo::rate)
        .containsExactly(tuple("aaaaaaaaaaaa", "admin", null), tuple("bbbbbbbbbbbb", "app", 9));
    assertThat(keys.list().getLast().binding()).isEqualTo(new Binding(Binding.Kind.SHOP, "7"));
    assertThat(keys.check("gk_aaaaaaaaaaaa_secret", null, null)).isInstanceOf(Principal.class);
    assertThat(folder.open().list()).isEqualTo(keys.list());
    // The first key was made for admin.key, and so it is replaced by a given admin key.
    assertThat(folder.open(GIVEN).list()).extracting(KeyInfo::id).containsExactly("bbbbbbbbbbbb");
  }

  @Test
  void open_crashBeforeTheOldFileIsGone_movesItAgain() throws IOException {
    Files.createDirectories(folder.folder);
    Files.writeString(folder.keysFile(), OF_BEFORE);
    Keys keys = folder.open();
    made(keys, named("later", Scope.READ));
    Files.writeString(folder.keysFile(), OF_BEFORE);

    assertThat(folder.open().list()).isEqualTo(keys.list());
    assertThat(folder.keysFile()).doesNotExist();
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
  void open_fieldMissingOrWrong_refuses(String field) throws Exception {
    folder.open();
    KeyStore.Kept good = folder.store().all().getFirst();
    String missing = good.json().replace("\"" + field + "\"", "\"x\"");
    String wrong =
        good.json().replaceFirst("\"" + field + "\":(\"[^\"]*\"|\\[[^]]*])", "\"" + field + "\":7");

    for (String damaged : List.of(missing, wrong, good.json() + " x", "{", "7")) {
      folder.store().change(List.of(new KeyStore.Kept(good.id(), damaged)), List.of());
      assertThatThrownBy(folder::open)
          .hasMessageContaining("the key " + good.id() + " in the documents is damaged: ");
    }
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

    assertThat(keys.size()).isZero();
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
