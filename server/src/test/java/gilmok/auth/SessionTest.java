package gilmok.auth;

import static gilmok.auth.KeyFolder.made;
import static gilmok.auth.KeyFolder.named;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session, which a page keeps in place of a key: it acts for the key, and ends with it. */
@Tag("unit")
class SessionTest {
  private static final Duration MONTH = Duration.ofDays(30);

  @TempDir Path temporary;
  KeyFolder folder;
  Keys keys;

  @BeforeEach
  void open() throws IOException {
    folder = new KeyFolder(temporary.resolve("data"));
    keys = folder.open();
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
  }

  @Test
  void session_ofAKey_isThatKeysPrincipal_andNotTheKey() throws IOException {
    KeyResult.Created created = made(keys, named("page", Scope.READ));
    Session session = session(created.key());

    assertThat(session.lifetime()).isEqualTo(MONTH);
    assertThat(session.text())
        .matches(created.info().id() + "\\.\\d+-\\d+\\.[0-9a-f]{64}")
        .doesNotContain(created.key().substring(16));
    assertThat(check(session))
        .isEqualTo(
            new Principal(created.info().id(), "page", Set.of(Scope.READ), null)
                .until(folder.instant().plus(MONTH).toEpochMilli()));
    assertThat(session.toString()).doesNotContain(session.text());
    assertThat(keys.check(session.text(), null, null)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void session_besideAKey_doesNotCount() throws IOException {
    String session = session(made(keys, named("page", Scope.READ)).key()).text();

    assertThat(keys.check("wrong", null, null, session)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(null, "Bearer wrong", null, session)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(null, null, "wrong", session)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check("", " ", "", session)).isInstanceOf(Principal.class);
    assertThat(keys.check(null, null, null, null)).isEqualTo(Denial.MISSING);
    assertThat(keys.check(null, null, null, "")).isEqualTo(Denial.MISSING);
  }

  @Test
  void session_ofAnotherServerWithTheSameKeys_isGood() throws IOException {
    Session session = session(made(keys, named("page", Scope.READ)).key());

    keys = folder.open();

    assertThat(check(session)).isInstanceOf(Principal.class);
  }

  /** Whoever reads the documents, as from a backup, has every hash but not the secret. */
  @Test
  void session_sealedWithAStoredHash_isForged() throws Exception {
    KeyResult.Created created = made(keys, named("page", Scope.ADMIN));
    byte[] hash = Sha256.of(created.key().substring(created.key().lastIndexOf('_') + 1));
    String far = folder.instant().getEpochSecond() + "-999999999999";
    String head = created.info().id() + "." + far;
    for (String sealed : List.of(head, "gilmok session 2 " + head + ".")) {
      Mac mac = Sha256.hmac();
      mac.init(new SecretKeySpec(hash, "HmacSHA256"));
      mac.update(sealed.getBytes(StandardCharsets.UTF_8));
      byte[] seal = sealed.equals(head) ? mac.doFinal() : mac.doFinal(hash);
      String forged = head + "." + HexFormat.of().formatHex(seal);
      assertThat(keys.check(null, null, null, forged)).isEqualTo(Denial.UNKNOWN);
    }
  }

  @Test
  void session_longerThanTheLifetime_expired() throws Exception {
    Session month = session(made(keys, named("page", Scope.READ)).key());

    keys = folder.open(config(Duration.ofDays(1)));

    folder.pass(Duration.ofDays(1));
    assertThat(check(month)).isEqualTo(Denial.EXPIRED);
    assertThat(check(session(made(keys, named("day", Scope.READ)).key())))
        .isInstanceOf(Principal.class);
  }

  /** Found bug: it came back when what was left of its own time was within the shorter one. */
  @Test
  void session_endedByAShorterLifetime_staysEnded() throws Exception {
    Session month = session(made(keys, named("page", Scope.READ)).key());
    keys = folder.open(config(Duration.ofDays(1)));

    folder.pass(Duration.ofHours(23));
    assertThat(check(month)).isInstanceOf(Principal.class);
    for (int day = 1; day < 31; day++) {
      folder.pass(Duration.ofDays(1));
      assertThat(check(month)).as("day %d", day).isEqualTo(Denial.EXPIRED);
    }
  }

  /** A page that is signed in streams no longer than the shorter lifetime lets it. */
  @Test
  void session_openedBeforeAShorterLifetime_endsByIt() throws Exception {
    Instant begun = folder.instant();
    Session month = session(made(keys, named("page", Scope.READ)).key());
    keys = folder.open(config(Duration.ofDays(1)));

    assertThat(check(month))
        .isInstanceOfSatisfying(
            Principal.class,
            one ->
                assertThat(one.endsAtMillis())
                    .isEqualTo(begun.plus(Duration.ofDays(1)).toEpochMilli()));
  }

  @Test
  void session_secretsChangedInTurn_nobodyIsSignedOut() throws Exception {
    String one = "one-session-secret-of-all-the-nodes";
    String two = "two-session-secret-of-all-the-nodes";
    keys = folder.open(config(MONTH, one));
    String key = made(keys, named("page", Scope.READ)).key();
    Session ofOne = session(key);
    keys = folder.open(config(MONTH, one, two));
    assertThat(check(ofOne)).isInstanceOf(Principal.class);
    keys = folder.open(config(MONTH, two, one));
    assertThat(check(ofOne)).isInstanceOf(Principal.class);
    Session ofTwo = session(key);
    keys = folder.open(config(MONTH, one, two));
    assertThat(check(ofTwo))
        .as("on a node that seals with the other")
        .isInstanceOf(Principal.class);
    keys = folder.open(config(MONTH, two));
    assertThat(check(ofTwo)).isInstanceOf(Principal.class);
    assertThat(check(ofOne)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void session_ownSecretLost_ends_andTheFileIsForItsOwnerAlone() throws Exception {
    Session session = session(made(keys, named("page", Scope.READ)).key());
    Path secret = folder.folder.resolve("session.secret");
    assertThat(Files.size(secret)).isGreaterThan(32);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");

    Files.delete(secret);
    keys = folder.open();

    assertThat(check(session)).isEqualTo(Denial.UNKNOWN);
  }

  private static AuthConfig config(Duration lifetime, String... secrets) {
    return new AuthConfig(null, 100, lifetime, List.of(secrets), 0);
  }

  @Test
  void session_revokedKey_ends() throws IOException {
    KeyResult.Created created = made(keys, named("page", Scope.READ));
    Session session = session(created.key());
    Principal principal = (Principal) check(session);

    keys.revoke(created.info().id());

    assertThat(check(session)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.openSession(principal)).isNull();
  }

  /** A stream asks this while it is open. */
  @Test
  void isStillGood_sessionsTimeOver_no() throws IOException {
    Principal principal = (Principal) check(session(made(keys, named("page", Scope.READ)).key()));

    folder.pass(MONTH.minusSeconds(1));
    assertThat(keys.isStillGood(principal)).isTrue();
    folder.pass(Duration.ofSeconds(1));
    assertThat(keys.isStillGood(principal)).isFalse();
  }

  @Test
  void session_itsTimeOver_ends() throws IOException {
    Session session = session(made(keys, named("page", Scope.READ)).key());

    folder.pass(MONTH.minusSeconds(1));
    assertThat(check(session)).isInstanceOf(Principal.class);
    folder.pass(Duration.ofSeconds(1));
    assertThat(check(session)).isEqualTo(Denial.EXPIRED);
  }

  @Test
  void session_keyExpiresEarlier_endsWithTheKey() throws IOException {
    KeyRequest request =
        new KeyRequest("short", Set.of(Scope.READ), null, Duration.ofHours(1), null);
    Session session = session(made(keys, request).key());

    assertThat(session.lifetime()).isEqualTo(Duration.ofHours(1));
    folder.pass(Duration.ofHours(1));
    assertThat(check(session)).isEqualTo(Denial.EXPIRED);
  }

  @Test
  void session_overTheKeysRate_tooFast() throws IOException {
    KeyRequest request = new KeyRequest("slow", Set.of(Scope.READ), null, null, 1);
    Session session = session(made(keys, request).key());
    AuthResult result = check(session);
    for (int i = 0; i < 3 && result instanceof Principal; i++) {
      result = check(session);
    }

    assertThat(result).isEqualTo(Denial.TOO_FAST);
  }

  @Test
  void session_ofTheGivenAdminKey_endsWhenAnotherIsGiven() throws IOException {
    keys = folder.open("the-given-admin-key");
    Session session = session("the-given-admin-key");

    assertThat(check(session))
        .isInstanceOfSatisfying(Principal.class, it -> assertThat(it.name()).isEqualTo("admin"));
    keys = folder.open("another-admin-key-now");
    assertThat(check(session)).isEqualTo(Denial.UNKNOWN);
    keys = folder.open();
    assertThat(check(session)).isEqualTo(Denial.UNKNOWN);
    keys = folder.open("the-given-admin-key");
    folder.pass(MONTH);
    assertThat(check(session)).isEqualTo(Denial.EXPIRED);
  }

  @Test
  void session_anyCharacterChanged_unknown() throws IOException {
    String good = session(made(keys, named("page", Scope.READ)).key()).text();
    for (int i = 0; i < good.length(); i++) {
      for (char c : new char[] {'0', '7', 'a', '.', 'F', 'é', ' '}) {
        if (good.charAt(i) != c) {
          String forged = good.substring(0, i) + c + good.substring(i + 1);
          assertThat(keys.check(null, null, null, forged)).as(forged).isEqualTo(Denial.UNKNOWN);
        }
      }
    }
    String[] parts = good.split("\\.", -1);
    String[] times = parts[1].split("-", -1);
    String later = times[0] + "-" + (Long.parseLong(times[1]) + 1);
    String begunLater = (Long.parseLong(times[0]) + 1) + "-" + times[1];
    for (String other : List.of(later, begunLater)) {
      String forged = parts[0] + "." + other + "." + parts[2];
      assertThat(keys.check(null, null, null, forged)).isEqualTo(Denial.UNKNOWN);
    }
  }

  @Test
  void session_sealOfAnotherKey_unknown() throws IOException {
    String one = session(made(keys, named("one", Scope.READ)).key()).text();
    String other = session(made(keys, named("other", Scope.ADMIN)).key()).text();
    String mixed = other.substring(0, other.lastIndexOf('.')) + one.substring(one.lastIndexOf('.'));

    assertThat(keys.check(null, null, null, mixed)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void session_anything_unknownAndNeverThrown() throws IOException {
    String good = session(made(keys, named("page", Scope.READ)).key()).text();
    String[] parts = good.split("\\.", -1);
    String[] pieces = {
      parts[0],
      parts[1],
      parts[2],
      ".",
      "..",
      "-1",
      "99999999999999999999",
      "é",
      "\ud800",
      " ",
      "admin-key",
      "0".repeat(64),
      "x".repeat(200)
    };
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder("");
      for (int n = 1 + random.nextInt(7); n > 0; n--) {
        text.append(pieces[random.nextInt(pieces.length)]);
      }
      String shown = text.toString();
      AuthResult result = keys.check(null, null, null, shown);
      if (!shown.equals(good)) {
        assertThat(result).as(shown).isEqualTo(Denial.UNKNOWN);
      }
    }
  }

  private Session session(String key) {
    return Objects.requireNonNull(
        keys.openSession((Principal) keys.check(key, null, null)), "a session");
  }

  private AuthResult check(Session session) {
    return keys.check(null, null, null, session.text());
  }
}
