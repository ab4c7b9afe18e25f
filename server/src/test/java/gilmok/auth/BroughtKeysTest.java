package gilmok.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.crypto.bcrypt.BCrypt;

/** Keys that were made elsewhere: by their text, its SHA-256, its bcrypt hash. */
@Tag("unit")
class BroughtKeysTest {
  private static final String TEXT = "fleet-A17-4f7c1d";
  private static final Binding RIDER = new Binding(Binding.Kind.RIDER, "r-7");

  @TempDir Path path;
  private KeyFolder folder;
  private Keys keys;

  @BeforeEach
  void open() throws IOException {
    folder = new KeyFolder(path);
    keys = folder.open();
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
  }

  private static KeySecret secret(
      @Nullable String key,
      @Nullable String sha256,
      @Nullable String bcrypt,
      @Nullable String begins) {
    return switch (KeySecret.brought(key, sha256, bcrypt, begins)) {
      case KeySecret.Brought.Good good -> good.secret();
      case KeySecret.Brought.Wrong wrong -> throw new AssertionError(wrong);
    };
  }

  private static KeyRequest request(KeySecret secret) {
    return new KeyRequest("r-7", Set.of(Scope.COLLECT), RIDER, null, null, secret);
  }

  private void assertLetsIn(String text) {
    for (AuthResult result :
        new AuthResult[] {
          keys.check(text, null, null),
          keys.check(null, "Bearer " + text, null),
          keys.check(null, null, text)
        }) {
      assertThat(result).isInstanceOf(Principal.class);
      assertThat(((Principal) result).binding()).isEqualTo(RIDER);
    }
  }

  @Test
  void text_letsInEverywhere_andAfterARestart() throws IOException {
    assertThat(keys.create(request(secret(TEXT, null, null, null))))
        .isInstanceOf(KeyResult.Brought.class);
    assertLetsIn(TEXT);
    assertThat(keys.check(TEXT + "x", null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(TEXT.substring(1), null, null)).isEqualTo(Denial.UNKNOWN);
    keys = folder.open();
    assertLetsIn(TEXT);
    assertThat(folder.store()).asString().doesNotContain(TEXT);
  }

  @Test
  void sha256_letsInWhoShowsItsText_andNotWhoShowsTheHash() throws IOException {
    String hash = HexFormat.of().formatHex(Sha256.of(TEXT));
    var _ = keys.create(request(secret(null, hash, null, null)));
    assertLetsIn(TEXT);
    assertThat(keys.check(hash, null, null)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void again_changesNothing_andWithOtherScopesIsRefused() throws IOException {
    KeySecret secret = secret(TEXT, null, null, null);
    KeyResult first = keys.create(request(secret));
    assertThat(keys.create(request(secret))).isEqualTo(first);
    assertThat(keys.size()).isEqualTo(2); // with the admin's
    assertThat(keys.create(new KeyRequest("r-7", Set.of(Scope.READ), RIDER, null, null, secret)))
        .isInstanceOf(KeyResult.Conflict.class);
  }

  @Test
  void ofTheServersOwnKeys_isRefused() throws IOException {
    String made = KeyFolder.made(keys, KeyFolder.named("app", Scope.READ)).key();
    String kept = HexFormat.of().formatHex(Sha256.of(made.substring(made.lastIndexOf('_') + 1)));
    assertThat(keys.create(request(secret(null, kept, null, null))))
        .as("what is kept of it, which exports show")
        .isInstanceOf(KeyResult.Conflict.class);
    String admin = "an-admin-key-of-the-settings";
    keys = folder.open(admin);
    String hash = HexFormat.of().formatHex(Sha256.of(admin));
    assertThat(keys.create(request(secret(admin, null, null, null))))
        .isInstanceOf(KeyResult.Conflict.class);
    assertThat(keys.create(request(secret(null, hash, null, null))))
        .isInstanceOf(KeyResult.Conflict.class);
  }

  @Test
  void again_whereNoMoreFit_changesNothing() throws IOException {
    keys = folder.open(new AuthConfig(null, 2, Duration.ofDays(30), List.of(), 0));
    KeyResult first = keys.create(request(secret(TEXT, null, null, null)));
    assertThat(first).isInstanceOf(KeyResult.Brought.class);
    assertThat(keys.create(request(secret(TEXT, null, null, null)))).isEqualTo(first);
    assertThat(keys.create(request(secret("another-key-1", null, null, null))))
        .isInstanceOf(KeyResult.Conflict.class);
  }

  @Test
  void revoked_letsNobodyIn() throws IOException {
    KeyResult made = keys.create(request(secret(TEXT, null, null, null)));
    assertThat(keys.revoke(((KeyResult.Brought) made).info().id())).isTrue();
    assertThat(keys.check(TEXT, null, null)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void bcrypt_isVerifiedOnce_thenKeptBySha256() throws Exception {
    String bcrypt = BCrypt.hashpw(TEXT, BCrypt.gensalt(4));
    var _ = keys.create(request(secret(null, null, bcrypt, "fleet-A17")));
    assertThat(keys.check(TEXT, null, null)).isEqualTo(Denial.VERIFYING);
    await(TEXT);
    assertLetsIn(TEXT);
    keys = folder.open();
    assertLetsIn(TEXT);
    assertThat(keys.check("fleet-A17-wrong!", null, null)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void bcrypt_wrongText_isUnknownAfterwards_andNoOtherIsCompared() throws Exception {
    String bcrypt = BCrypt.hashpw(TEXT, BCrypt.gensalt(4));
    var _ = keys.create(request(secret(null, null, bcrypt, "fleet-A17")));
    assertThat(keys.check("other-A17-4f7c1d", null, null)).isEqualTo(Denial.UNKNOWN);
    String wrong = "fleet-A17-000000";
    assertThat(keys.check(wrong, null, null)).isEqualTo(Denial.VERIFYING);
    await(wrong);
    assertThat(keys.check(wrong, null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(TEXT, null, null)).isEqualTo(Denial.VERIFYING);
    await(TEXT);
    assertLetsIn(TEXT);
  }

  @Test
  void bcrypt_revokedWhileItIsVerified_staysRevoked() throws Exception {
    String bcrypt = BCrypt.hashpw(TEXT, BCrypt.gensalt(8));
    KeyResult made = keys.create(request(secret(null, null, bcrypt, "fleet-A17")));
    assertThat(keys.check(TEXT, null, null)).isEqualTo(Denial.VERIFYING);
    assertThat(keys.revoke(((KeyResult.Brought) made).info().id())).isTrue();
    await(TEXT);
    assertThat(keys.check(TEXT, null, null)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void bcrypt_manyThatBeginAlike_areRefused() throws IOException {
    for (int i = 0; i <= BcryptCheck.CANDIDATES_MAX; i++) {
      String bcrypt = BCrypt.hashpw(TEXT + i, BCrypt.gensalt(4));
      KeyResult result =
          keys.create(
              new KeyRequest(
                  "r-" + i,
                  Set.of(Scope.COLLECT),
                  null,
                  null,
                  null,
                  secret(null, null, bcrypt, "fleet-A17".substring(0, 3 + i))));
      assertThat(result instanceof KeyResult.Brought).isEqualTo(i < BcryptCheck.CANDIDATES_MAX);
    }
  }

  private KeySecret begun(String text, int cost) {
    return secret(null, null, BCrypt.hashpw(text, BCrypt.gensalt(cost)), text.substring(0, 4));
  }

  private static KeyRequest named(String name, KeySecret secret) {
    return new KeyRequest(name, Set.of(Scope.COLLECT), null, null, null, secret);
  }

  private AuthResult shown(String text, String address) {
    return keys.check(text, null, null, null, () -> InetAddress.ofLiteral(address));
  }

  @Test
  void bcrypt_behind72Bytes_noOtherTextIsTheKey() throws Exception {
    String begin = TEXT + "x".repeat(BcryptCheck.TEXT_MAX - TEXT.length());
    String bcrypt = BCrypt.hashpw(begin, BCrypt.gensalt(4)); // as of any key that begins so
    var _ = keys.create(request(secret(null, null, bcrypt, "fleet-A17")));
    for (String longer : List.of(begin + "y", begin + "-another-tail")) {
      assertThat(keys.check(longer, null, null)).isEqualTo(Denial.UNKNOWN);
    }
    String again = TEXT + '\0' + TEXT; // bcrypt repeats a key so
    assertThat(keys.check(null, null, again)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(begin, null, null)).isEqualTo(Denial.VERIFYING);
    await(begin);
    assertLetsIn(begin);
  }

  @Test
  void bcrypt_wrongText_isRememberedWhileOtherKeysChange() throws Exception {
    var _ = keys.create(request(begun(TEXT, 4)));
    String wrong = "fleet-A17-000000";
    assertThat(keys.check(wrong, null, null)).isEqualTo(Denial.VERIFYING);
    await(wrong);
    var _ = keys.create(named("other", begun("other-key-1", 4)));
    assertThat(keys.check(wrong, null, null)).isEqualTo(Denial.UNKNOWN);
    var _ = keys.create(named("late", begun(wrong, 4)));
    assertThat(keys.check(wrong, null, null)).as("it is a key now").isEqualTo(Denial.VERIFYING);
    await(wrong);
    assertThat(keys.check(wrong, null, null)).isInstanceOf(Principal.class);
  }

  @Test
  void bcrypt_aFloodOfOneAddress_countsAsWrong_andOthersAreVerified() throws Exception {
    var _ = keys.create(named("flooded", begun("flood-key-1", 10)));
    var _ = keys.create(named("beside", begun("flown-key-2", 4)));
    var _ = keys.create(request(begun(TEXT, 4)));
    int crowded = 0;
    for (int i = 0; i < 200; i++) {
      crowded += shown("flood-wrong-" + i, "198.51.100.1") == Denial.CROWDED ? 1 : 0;
    }
    assertThat(crowded).as("those that wait are few").isGreaterThan(100);
    for (int i = 0; i < 200; i++) { // and now of many addresses
      var _ = shown("flood-other-" + i, "203.0.113." + i);
    }
    for (String good : List.of(TEXT, "flown-key-2")) {
      assertThat(shown(good, "198.51.100.2")).isEqualTo(Denial.VERIFYING);
      long began = System.nanoTime();
      while (shown(good, "198.51.100.2") == Denial.VERIFYING && !isOver(began)) {
        var _ = shown("flood-more-" + began, "203.0.113.201");
        Thread.onSpinWait();
      }
      assertThat(shown(good, "198.51.100.2")).as(good).isInstanceOf(Principal.class);
    }
  }

  private static boolean isOver(long began) {
    return System.nanoTime() - began > 20_000_000_000L;
  }

  private void await(String text) throws InterruptedException {
    long until = System.nanoTime() + 20_000_000_000L;
    while (keys.check(text, null, null) == Denial.VERIFYING && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(System.nanoTime()).isLessThan(until);
  }

  @Test
  void brought_wrong_isNamed() {
    assertWrong("key", "short", null, null, null);
    assertWrong("key", "gk_abc_defghij", null, null, null);
    assertWrong("key", "with a blank", null, null, null);
    assertWrong("key", TEXT, "00", null, null);
    assertWrong("sha256", null, "00", null, null);
    assertWrong("sha256", null, HexFormat.of().formatHex(Sha256.of("")), null, null);
    assertWrong("bcrypt", null, null, "$2b$31$" + "a".repeat(53), "abc");
    assertWrong("prefix", null, null, "$2b$10$" + "a".repeat(53), null);
    assertWrong("prefix", TEXT, null, null, "abc");
    assertThat(Objects.toString(secret(TEXT, null, null, null))).doesNotContain(TEXT);
  }

  private static void assertWrong(
      String field,
      @Nullable String key,
      @Nullable String sha256,
      @Nullable String bcrypt,
      @Nullable String begins) {
    assertThat(KeySecret.brought(key, sha256, bcrypt, begins))
        .isInstanceOfSatisfying(
            KeySecret.Brought.Wrong.class, wrong -> assertThat(wrong.field()).isEqualTo(field));
  }
}
