package gilmok.auth;

import static gilmok.auth.KeyFolder.made;
import static gilmok.auth.KeyFolder.named;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class KeysTest {
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
  void create_aKey_isLongRandomAndGood() throws IOException {
    KeyResult.Created created = made(keys, named("phones", Scope.COLLECT));

    assertThat(created.key())
        .matches("gk_[a-z2-7]{12}_[a-z2-7]{52}")
        .startsWith("gk_" + created.info().id() + "_");
    assertThat(check(created.key()))
        .isEqualTo(new Principal(created.info().id(), "phones", Set.of(Scope.COLLECT), null));
    assertThat(created.toString()).doesNotContain(created.key());
  }

  @Test
  void create_many_allDifferentAndAllFound() throws IOException {
    Set<String> all = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      all.add(made(keys, named("n" + i, Scope.READ)).key());
    }

    assertThat(all)
        .hasSize(100)
        .allSatisfy(key -> assertThat(check(key)).isInstanceOf(Principal.class));
    assertThat(keys.size()).isEqualTo(101);
  }

  @Test
  void check_nothingSent_missing() {
    assertThat(keys.check(null, null, null)).isEqualTo(Denial.MISSING);
    assertThat(keys.check("", " ", "")).isEqualTo(Denial.MISSING);
  }

  @Test
  void check_firstPresent_decides() throws IOException {
    String good = made(keys, named("good", Scope.READ)).key();
    String bearer = "Bearer " + good;

    assertThat(keys.check(good, "Bearer wrong", "wrong")).isInstanceOf(Principal.class);
    assertThat(keys.check("wrong", bearer, good)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(null, bearer, "wrong")).isInstanceOf(Principal.class);
    assertThat(keys.check(null, "Bearer wrong", good)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(null, "Digest x", good)).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.check(null, null, good)).isInstanceOf(Principal.class);
    assertThat(keys.check("", "", good)).isInstanceOf(Principal.class);
  }

  @Test
  void check_authorization_bearerOrBasicInAnyCase() throws IOException {
    String good = made(keys, named("good", Scope.READ)).key();

    for (String header :
        new String[] {
          "Bearer " + good,
          "bearer   " + good + " ",
          "BEARER " + good,
          "Basic " + base64("anyone:" + good),
          "basic " + base64(":" + good)
        }) {
      assertThat(keys.check(null, header, null)).as(header).isInstanceOf(Principal.class);
    }
    for (String header :
        new String[] {
          "Bearer",
          "Bearer ",
          good,
          "Basic",
          "Basic ",
          "Basic !!!!",
          "Basic =",
          "Basic AA=A",
          "Basic " + good,
          "Basic " + base64(good),
          "Basic " + base64("user:"),
          "Basic " + base64(good + ":"),
          "Basic " + "A".repeat(10_000)
        }) {
      assertThat(keys.check(null, header, null)).as(header).isEqualTo(Denial.UNKNOWN);
    }
  }

  @Test
  void check_anyCharacterWrong_unknown() throws IOException {
    String good = made(keys, named("good", Scope.READ)).key();

    for (int i = 0; i < good.length(); i++) {
      char other = good.charAt(i) == 'x' ? 'y' : 'x';
      String wrong = good.substring(0, i) + other + good.substring(i + 1);
      assertThat(check(wrong)).as(wrong).isEqualTo(Denial.UNKNOWN);
      assertThat(check(good.substring(0, i) + "é" + good.substring(i + 1)))
          .isEqualTo(Denial.UNKNOWN);
    }
    for (int i = 1; i < good.length(); i++) {
      assertThat(check(good.substring(0, i))).isEqualTo(Denial.UNKNOWN);
    }
    assertThat(check(good + "a")).isEqualTo(Denial.UNKNOWN);
    assertThat(check("x".repeat(100_000))).isEqualTo(Denial.UNKNOWN);
    assertThat(check(good)).isInstanceOf(Principal.class);
  }

  @ParameterizedTest
  @EnumSource(Binding.Kind.class)
  void create_bound_principalActsForItAlone(Binding.Kind kind) throws IOException {
    Binding binding = new Binding(kind, "7");
    String key = made(keys, new KeyRequest("b", Set.of(Scope.READ), binding, null, null)).key();

    Principal principal = principal(check(key));

    assertThat(principal.binding()).isEqualTo(binding);
    for (Binding.Kind other : Binding.Kind.values()) {
      assertThat(principal.mayActFor(other, "7")).isEqualTo(other == kind);
      assertThat(principal.mayActFor(other, "8")).isFalse();
    }
    assertThat(principal(folder.open().check(key, null, null))).isEqualTo(principal);
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void has_eachScope_adminImpliesAllOthersNothing(Scope scope) throws IOException {
    Principal principal = principal(check(made(keys, named("s", scope)).key()));

    for (Scope asked : Scope.values()) {
      assertThat(principal.has(asked)).isEqualTo(asked == scope || scope == Scope.ADMIN);
    }
  }

  @Test
  void check_expired_saidSoAndLaterForgotten() throws IOException {
    KeyRequest request =
        new KeyRequest("short", Set.of(Scope.READ), null, Duration.ofSeconds(10), null);
    String key = made(keys, request).key();

    folder.pass(Duration.ofMillis(9_999));
    assertThat(check(key)).isInstanceOf(Principal.class);
    folder.pass(Duration.ofMillis(1));
    assertThat(check(key)).isEqualTo(Denial.EXPIRED);
    assertThat(check(key.substring(0, key.length() - 1) + "1")).isEqualTo(Denial.UNKNOWN);

    folder.pass(Duration.ofDays(31));
    made(keys, named("another", Scope.READ));
    assertThat(check(key)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void check_overItsRate_tooFastUntilTimePasses() throws IOException {
    KeyRequest request = new KeyRequest("slow", Set.of(Scope.READ), null, null, 3);
    String key = made(keys, request).key();

    for (int second = 0; second < 3; second++) {
      for (int i = 0; i < 3; i++) {
        assertThat(check(key)).isInstanceOf(Principal.class);
      }
      assertThat(check(key)).isEqualTo(Denial.TOO_FAST);
      folder.pass(Duration.ofSeconds(1));
    }
    for (int i = 0; i < 3; i++) {
      check(key);
    }
    folder.pass(Duration.ofMillis(334));
    assertThat(check(key)).isInstanceOf(Principal.class);
    assertThat(check(key)).isEqualTo(Denial.TOO_FAST);
  }

  @Test
  void check_rate_otherKeysComeAndGo_staysUsedUp() throws IOException {
    String key = made(keys, new KeyRequest("slow", Set.of(Scope.READ), null, null, 1)).key();
    assertThat(check(key)).isInstanceOf(Principal.class);

    made(keys, named("another", Scope.READ));

    assertThat(check(key)).isEqualTo(Denial.TOO_FAST);
  }

  @Test
  void check_rate_clockSetBack_isNotLockedOut() throws IOException {
    String key = made(keys, new KeyRequest("slow", Set.of(Scope.READ), null, null, 1)).key();
    check(key);

    folder.pass(Duration.ofHours(-1));

    assertThat(check(key)).isInstanceOf(Principal.class);
  }

  @Test
  void create_thirdOfAName_refusedUntilOneIsRevokedOrExpires() throws IOException {
    KeyRequest request = named("app", Scope.COLLECT);
    KeyResult.Created old = made(keys, request);
    made(keys, new KeyRequest("app", Set.of(Scope.COLLECT), null, Duration.ofMinutes(1), null));

    assertThat(keys.create(request))
        .isEqualTo(
            new KeyResult.Conflict("name", "two active keys have this name; revoke one first"));

    folder.pass(Duration.ofMinutes(1));
    made(keys, request);
    assertThat(keys.create(request)).isInstanceOf(KeyResult.Conflict.class);
    keys.revoke(old.info().id());
    made(keys, request);
  }

  @Test
  void create_noMoreRoom_refused() throws IOException {
    Keys few = folder.open(new AuthConfig(null, 2, Duration.ofDays(30), List.of(), 0));
    made(few, named("one", Scope.READ));

    assertThat(few.create(named("two", Scope.READ))).isInstanceOf(KeyResult.Conflict.class);
  }

  @Test
  void revoke_aKey_noLongerGoodAlsoAfterRestart() throws IOException {
    KeyResult.Created created = made(keys, named("app", Scope.COLLECT));

    assertThat(keys.revoke(created.info().id())).isTrue();
    assertThat(keys.revoke(created.info().id())).isFalse();

    assertThat(check(created.key())).isEqualTo(Denial.UNKNOWN);
    assertThat(folder.open().check(created.key(), null, null)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void list_keys_theOldestFirst() throws IOException {
    folder.pass(Duration.ofSeconds(1));
    KeyInfo first = made(keys, named("z", Scope.READ)).info();
    folder.pass(Duration.ofSeconds(1));
    KeyInfo second = made(keys, named("a", Scope.READ)).info();

    assertThat(keys.list()).hasSize(3).endsWith(first, second);
    assertThat(keys.list().getFirst().name()).isEqualTo("admin");
    assertThat(folder.open().list()).isEqualTo(keys.list());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb", "\ud800"})
  void create_wrongName_refusedNamingIt(String name) throws IOException {
    assertRefused("name", named(name, Scope.READ));
  }

  @Test
  void create_otherWrongFields_refusedNamingThem() throws IOException {
    Set<Scope> read = Set.of(Scope.READ);
    assertRefused("name", named("x".repeat(129), Scope.READ));
    assertRefused("scopes", named("n"));
    assertRefused(
        "scopes",
        new KeyRequest("n", Set.of(Scope.ADMIN), new Binding(Binding.Kind.RIDER, "1"), null, null));
    for (Binding.Kind kind : Binding.Kind.values()) {
      assertRefused(kind.label(), new KeyRequest("n", read, new Binding(kind, ""), null, null));
      assertRefused(
          kind.label(), new KeyRequest("n", read, new Binding(kind, "x".repeat(129)), null, null));
    }
    assertRefused("expiresIn", new KeyRequest("n", read, null, Duration.ZERO, null));
    assertRefused("expiresIn", new KeyRequest("n", read, null, Duration.ofDays(3651), null));
    assertRefused("rate", new KeyRequest("n", read, null, null, 0));
    assertRefused("rate", new KeyRequest("n", read, null, null, 1_000_001));
    assertThat(keys.size()).isEqualTo(1);
  }

  private void assertRefused(String field, KeyRequest request) throws IOException {
    assertThat(keys.create(request))
        .isInstanceOfSatisfying(
            KeyResult.Refused.class, refused -> assertThat(refused.field()).isEqualTo(field));
  }

  private AuthResult check(@Nullable String key) {
    return keys.check(key, null, null);
  }

  private static Principal principal(AuthResult result) {
    assertThat(result).isInstanceOf(Principal.class);
    return (Principal) result;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
