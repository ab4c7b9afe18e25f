package gilmok.auth;

import static gilmok.auth.KeyFolder.made;
import static gilmok.auth.KeyFolder.named;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every {@link KeyStore}; a subclass runs it over one implementation. */
abstract class KeyStoreContract {
  @TempDir Path folder;
  KeyStore store;

  /** Opens an empty store. */
  abstract KeyStore open() throws Exception;

  abstract void close() throws Exception;

  @BeforeEach
  void begin() throws Exception {
    store = open();
  }

  @AfterEach
  void end() throws Exception {
    close();
  }

  @Test
  void change_putReplaceAndRemove_areSeen() throws Exception {
    KeyStore.Kept one = kept("one", 1);
    KeyStore.Kept two = kept("two", 2);
    assertThat(store.all()).isEmpty();
    store.change(List.of(one, two), List.of());
    assertThat(store.all()).extracting(KeyStore.Kept::id).containsExactlyInAnyOrder("one", "two");

    store.change(List.of(kept("two", 3)), List.of("one", "unknown"));

    assertThat(store.all())
        .singleElement()
        .satisfies(
            left -> {
              assertThat(left.id()).isEqualTo("two");
              assertThat(KeyJson.JSON.readTree(left.json()))
                  .isEqualTo(KeyJson.JSON.readTree(kept("two", 3).json()));
            });
    store.change(List.of(), List.of());
    assertThat(store.all()).hasSize(1);
  }

  @Test
  void keys_ofAllKinds_comeBackAsTheyWere() throws Exception {
    Keys keys = keys("first");
    made(
        keys,
        new KeyRequest(
            "all 가게",
            EnumSet.of(Scope.READ, Scope.COLLECT),
            new Binding(Binding.Kind.AGENCY, "a\"7"),
            Duration.ofSeconds(5),
            9));
    made(keys, named("plain", Scope.OPERATE));

    assertThat(keys("second").list()).isEqualTo(keys.list()).hasSize(3);
    assertThat(folder.resolve("second/admin.key")).doesNotExist();
  }

  @Test
  void reload_oneIsDamaged_itIsRefused_andWhatChangedIsSeen() throws Exception {
    Keys keys = keys("first");
    String damagedText = made(keys, named("damaged", Scope.READ)).key();
    String revokedText = made(keys, named("revoked", Scope.READ)).key();
    String damaged = id(keys, "damaged");
    store.change(
        List.of(new KeyStore.Kept(damaged, "{\"id\":\"" + damaged + "\",\"scopes\":7}")),
        List.of(id(keys, "revoked")));
    Keys other = keys("other");
    String madeText = made(other, named("made elsewhere", Scope.READ)).key();

    keys.reload();

    assertThat(keys.check(damagedText, null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(revokedText, null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(madeText, null, null)).isInstanceOf(Principal.class);
    assertThat(keys.damaged()).isEqualTo(1);
    assertThat(other.damaged()).isEqualTo(1);

    assertThat(keys.revoke(damaged)).as("so it is taken away").isTrue();
    assertThat(keys.damaged()).isZero();
    assertThat(store.all()).extracting(KeyStore.Kept::id).doesNotContain(damaged);
  }

  private static String id(Keys keys, String name) {
    return keys.list().stream()
        .filter(info -> info.name().equals(name))
        .map(KeyInfo::id)
        .findFirst()
        .orElseThrow();
  }

  Keys keys(String node) throws IOException {
    return Keys.open(
        store,
        folder.resolve(node),
        new AuthConfig(null, 100, Duration.ofDays(30), List.of(), 0),
        InstantSource.system(),
        new SecureRandom());
  }

  private static KeyStore.Kept kept(String id, int rate) {
    return new KeyStore.Kept(id, "{\"id\":\"" + id + "\",\"rate\":" + rate + "}");
  }
}
