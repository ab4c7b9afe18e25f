package gilmok.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import gilmok.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a login of the fleet's own, signed by Nimbus as an issuer does. */
@Tag("unit")
class JwtCheckTest {
  private static final String ISSUER = "https://login.example";
  private static RSAKey rsa;
  private static ECKey ec;
  private static RSAKey foreign;

  @TempDir Path path;
  private KeyFolder folder;
  private Path jwks;
  private Keys keys;

  @BeforeAll
  static void make() throws Exception {
    rsa = new RSAKeyGenerator(2048).keyID("rsa-1").algorithm(JWSAlgorithm.RS256).generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("ec-1").generate();
    foreign = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
  }

  @BeforeEach
  void open() throws Exception {
    folder = new KeyFolder(path.resolve("data"));
    jwks = path.resolve("jwks.json");
    write(rsa, ec);
    keys = opened(Map.of());
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
  }

  private void write(JWK... all) throws IOException {
    Files.writeString(jwks, new JWKSet(List.of(all)).toPublicJWKSet().toString());
  }

  private AuthConfig config(Map<String, String> more) {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "auth.jwt.jwks",
                jwks.toString(),
                "auth.jwt.issuer",
                ISSUER,
                "auth.jwt.audience",
                "fleet",
                "auth.jwt.rider-claim",
                "rider"));
    settings.putAll(more);
    Settings all = new Settings(settings);
    AuthConfig config = AuthConfig.of(all);
    all.finish();
    return config;
  }

  private Keys opened(Map<String, String> more) throws Exception {
    Keys made = folder.open(config(more));
    String token = token(rsa, claims());
    long until = System.nanoTime() + 20_000_000_000L;
    while (made.check(token, null, null) == Denial.VERIFYING && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    return made;
  }

  private JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience(List.of("other", "fleet"))
        .subject("user-9")
        .claim("rider", "r-7")
        .expirationTime(at(Duration.ofHours(1)));
  }

  private Date at(Duration later) {
    return Date.from(folder.instant().plus(later));
  }

  private static String token(JWK by, JWTClaimsSet.Builder claims) throws Exception {
    boolean isRsa = by instanceof RSAKey;
    JWSSigner signer = isRsa ? new RSASSASigner(by.toRSAKey()) : new ECDSASigner(by.toECKey());
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(isRsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256)
                .keyID(by.getKeyID())
                .build(),
            claims.build());
    token.sign(signer);
    return token.serialize();
  }

  private AuthResult check(String token) {
    return keys.check(null, "Bearer " + token, null);
  }

  @Test
  void check_signed_isTheRiderThatItNames() throws Exception {
    for (JWK by : List.of(rsa, ec)) {
      AuthResult result = check(token(by, claims()));
      assertThat(result).isInstanceOf(Principal.class);
      Principal principal = (Principal) result;
      assertThat(principal.binding()).isEqualTo(new Binding(Binding.Kind.RIDER, "r-7"));
      assertThat(principal.scopes()).containsExactly(Scope.COLLECT);
      assertThat(principal.keyId()).isEqualTo("jwt:user-9");
      assertThat(keys.isStillGood(principal)).isTrue();
    }
  }

  @Test
  void check_remembered_endsAtItsTime() throws Exception {
    String token = token(rsa, claims());
    assertThat(check(token)).isInstanceOf(Principal.class).isSameAs(check(token));
    folder.pass(Duration.ofMinutes(62));
    assertThat(check(token)).isEqualTo(Denial.EXPIRED);
    assertThat(check(token)).isEqualTo(Denial.EXPIRED);
  }

  @Test
  void check_wrongInAnyWay_isRefused() throws Exception {
    assertThat(check(token(rsa, claims().audience("others")))).isEqualTo(Denial.UNKNOWN);
    assertThat(check(token(rsa, claims().issuer("https://evil.example"))))
        .isEqualTo(Denial.UNKNOWN);
    assertThat(check(token(rsa, claims().expirationTime(at(Duration.ofMinutes(-2))))))
        .isEqualTo(Denial.EXPIRED);
    assertThat(check(token(rsa, claims().expirationTime(null)))).isEqualTo(Denial.UNKNOWN);
    assertThat(check(token(rsa, claims().notBeforeTime(at(Duration.ofHours(1))))))
        .isEqualTo(Denial.UNKNOWN);
    assertThat(check(token(foreign, claims()))).as("a foreign key").isEqualTo(Denial.UNKNOWN);
    assertThat(check(token(rsa, claims().claim("rider", null)))).isEqualTo(Denial.UNKNOWN);
    assertThat(check(new PlainJWT(claims().build()).serialize())).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void check_besideASharedKey_decides() throws Exception {
    String shared = folder.adminKey();
    Principal rider = (Principal) keys.check(shared, "Bearer " + token(rsa, claims()), null);
    assertThat(rider.binding()).isEqualTo(new Binding(Binding.Kind.RIDER, "r-7"));
    String over = token(rsa, claims().expirationTime(at(Duration.ofMinutes(-2))));
    assertThat(keys.check(shared, "Bearer " + over, null)).isEqualTo(Denial.EXPIRED);
    assertThat(keys.check(shared, "Basic xyz", null)).isInstanceOf(Principal.class);
    assertThat(keys.check(shared, "Bearer no-token", null)).isInstanceOf(Principal.class);
  }

  @Test
  void check_whoRunsTheFleet_isNotBound() throws Exception {
    keys = opened(Map.of("auth.jwt.scopes-claim", "role", "auth.jwt.scopes-map", "boss:operate"));
    Principal boss = (Principal) check(token(rsa, claims().claim("role", "boss")));
    assertThat(boss.binding()).isNull();
    assertThat(boss.has(Scope.OPERATE)).isTrue();
    assertThat(boss.has(Scope.COLLECT)).as("what a rider may, too").isTrue();
    Principal nobody =
        (Principal) check(token(rsa, claims().claim("role", "boss").claim("rider", null)));
    assertThat(nobody.scopes()).containsExactly(Scope.OPERATE);
    Principal rider = (Principal) check(token(rsa, claims().claim("role", "other")));
    assertThat(rider.binding()).isNotNull();
    assertThat(rider.scopes()).containsExactly(Scope.COLLECT);
  }

  @Test
  void openSession_ofSomebodyWithAToken_isTheirs_andEndsByItsTime() throws Exception {
    keys = opened(Map.of("auth.jwt.session-lifetime", "8 h"));
    String login = token(rsa, claims().claim("name", "Mina Kim").claim("nonce", "n-1"));
    Principal rider = (Principal) keys.checkLogin(login, "fleet", "n-1");
    Session session = Objects.requireNonNull(keys.openSession(rider));
    assertThat(session.lifetime()).isEqualTo(Duration.ofHours(8));
    folder.pass(Duration.ofHours(7));
    Principal later = (Principal) keys.check(null, null, null, session.text());
    assertThat(later.name()).isEqualTo("Mina Kim");
    assertThat(later.keyId()).isEqualTo("jwt:user-9");
    assertThat(later.binding()).isEqualTo(rider.binding());
    assertThat(later.scopes()).isEqualTo(rider.scopes());
    for (int i = 0; i < session.text().length(); i++) {
      char other = session.text().charAt(i) == 'A' ? 'Q' : 'A';
      String changed = session.text().substring(0, i) + other + session.text().substring(i + 1);
      boolean isLastOfSeal = i == session.text().length() - 1; // some of its bits say nothing
      assertThat(isLastOfSeal || keys.check(null, null, null, changed) instanceof Denial)
          .as("changed at " + i)
          .isTrue();
    }
    folder.pass(Duration.ofHours(1));
    assertThat(keys.check(null, null, null, session.text())).isEqualTo(Denial.EXPIRED);
    assertThat(keys.check(session.text(), null, null)).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void openSession_ofAToken_doesNotOutliveIt() throws Exception {
    Principal rider = (Principal) check(token(rsa, claims()));
    Session session = Objects.requireNonNull(keys.openSession(rider));
    assertThat(session.lifetime()).isEqualTo(Duration.ofHours(1));
    folder.pass(Duration.ofHours(1));
    assertThat(keys.check(null, null, null, session.text())).isEqualTo(Denial.EXPIRED);
    assertThat(keys.openSession(rider)).as("within the clock's skew").isNull();
  }

  @Test
  void check_timesThatAreNone_areRefused() throws Exception {
    String signature = token(rsa, claims()).replaceAll(".*\\.", "");
    String header = encoded("{\"alg\":\"RS256\",\"kid\":\"rsa-1\"}");
    for (String times :
        List.of(
            "\"exp\":1e300",
            "\"exp\":1e19",
            "\"exp\":1e400",
            "\"exp\":" + "9".repeat(500),
            "\"exp\":9223372036854775807",
            "\"exp\":\"4102444800\"",
            "\"exp\":4102444800,\"nbf\":1e300",
            "\"exp\":4102444800,\"nbf\":-9223372036854775808")) {
      String claims =
          "{\"iss\":\"" + ISSUER + "\",\"aud\":\"fleet\",\"nonce\":\"n\"," + times + "}";
      String token = header + '.' + encoded(claims) + '.' + signature;
      assertThat(check(token)).as(times).isEqualTo(Denial.UNKNOWN);
      assertThat(keys.checkLogin(token, "fleet", "n")).as(times).isEqualTo(Denial.UNKNOWN);
    }
  }

  private static String encoded(String json) {
    return Base64URL.encode(json).toString();
  }

  private static String token(JWK by, JWSHeader header, JWTClaimsSet.Builder claims)
      throws Exception {
    SignedJWT token = new SignedJWT(header, claims.build());
    token.sign(new RSASSASigner(by.toRSAKey()));
    return token.serialize();
  }

  @Test
  void check_ofAnotherKind_letsNobodyIn() throws Exception {
    for (Map.Entry<String, Boolean> one :
        Map.of("JWT", true, "at+jwt", true, "application/at+jwt", true, "logout+jwt", false)
            .entrySet()) {
      JWSHeader header =
          new JWSHeader.Builder(JWSAlgorithm.RS256)
              .keyID("rsa-1")
              .type(new JOSEObjectType(one.getKey()))
              .build();
      assertThat(check(token(rsa, header, claims())) instanceof Principal)
          .as(one.getKey())
          .isEqualTo(one.getValue());
    }
    assertThat(check(token(rsa, claims().claim("events", Map.of())))).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void check_withoutANameOfItsKey_isTriedByEachThatFits() throws Exception {
    RSAKey other = new RSAKeyGenerator(2048).keyID("rsa-2").generate();
    RSAKey nameless = new RSAKeyGenerator(2048).generate();
    write(ec, other, nameless, rsa);
    keys = opened(Map.of());
    JWSHeader header = new JWSHeader(JWSAlgorithm.RS256);
    for (RSAKey by : List.of(other, nameless, rsa)) {
      assertThat(check(token(by, header, claims()))).isInstanceOf(Principal.class);
    }
    assertThat(check(token(foreign, header, claims()))).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void checkLogin_ofNobody_isRefused() throws Exception {
    String token = token(rsa, claims().subject(null).claim("nonce", "n-1"));
    assertThat(keys.checkLogin(token, "fleet", "n-1")).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void checkLogin_countsForThatLoginOnly() throws Exception {
    String token = token(rsa, claims().audience("web").claim("nonce", "n-1"));
    assertThat(keys.checkLogin(token, "web", "n-1")).isInstanceOf(Principal.class);
    assertThat(keys.checkLogin(token, "web", "n-2")).isEqualTo(Denial.UNKNOWN);
    assertThat(keys.checkLogin(token, "other", "n-1")).isEqualTo(Denial.UNKNOWN);
    String ofOther = token(rsa, claims().audience("web").claim("nonce", "n-1").claim("azp", "x"));
    assertThat(keys.checkLogin(ofOther, "web", "n-1")).isEqualTo(Denial.UNKNOWN);
    assertThat(check(token)).as("its audience is not the phones'").isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void check_changedAnywhere_isRefused() throws Exception {
    String token = token(rsa, claims());
    for (int i = 0; i < token.length(); i += 7) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      assertThat(check(changed)).as("at " + i).isInstanceOf(Denial.class);
    }
    assertThat(check(token.substring(0, token.lastIndexOf('.') + 1))).isInstanceOf(Denial.class);
    assertThat(check(token + ".x")).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void check_publicKeyAsASecret_isRefused() throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build(), claims().build());
    token.sign(new MACSigner(rsa.toRSAPublicKey().getEncoded()));
    assertThat(check(token.serialize())).isEqualTo(Denial.UNKNOWN);
  }

  @Test
  void check_newKeyOfTheIssuer_isReadAgain() throws Exception {
    RSAKey next = new RSAKeyGenerator(2048).keyID("rsa-2").generate();
    String token = token(next, claims());
    write(rsa, next);
    keys = opened(Map.of());
    assertThat(check(token)).isInstanceOf(Principal.class);
  }

  @Test
  void check_roles_giveScopes() throws Exception {
    keys =
        opened(
            Map.of(
                "auth.jwt.scopes", "collect",
                "auth.jwt.scopes-claim", "realm_access.roles",
                "auth.jwt.scopes-map", "dispatcher:operate,dispatcher:read",
                "auth.jwt.unbound", "true"));
    AuthResult result =
        check(
            token(
                ec,
                claims()
                    .claim("rider", null)
                    .claim("realm_access", Map.of("roles", List.of("x", "dispatcher")))));
    assertThat(((Principal) result).scopes())
        .containsExactlyInAnyOrder(Scope.COLLECT, Scope.OPERATE, Scope.READ);
    assertThat(((Principal) result).binding()).isNull();
  }

  @Test
  void check_keysThatCannotBeRead_isAskedToComeAgain() throws Exception {
    Files.delete(jwks);
    Keys without = folder.open(config(Map.of()));
    assertThat(without.check(token(rsa, claims()), null, null)).isEqualTo(Denial.VERIFYING);
  }

  @Test
  void check_aFloodOfWrongSignatures_leavesTimeForOthers() throws Exception {
    String known = token(ec, claims());
    assertThat(check(known)).isInstanceOf(Principal.class);
    String good = token(ec, claims().subject("another"));
    String wrong =
        good.substring(0, good.lastIndexOf('.')) + known.substring(known.lastIndexOf('.'));
    AuthResult result = Denial.UNKNOWN;
    for (int i = 0; result == Denial.UNKNOWN && i < 100_000; i++) {
      result = check(wrong);
    }
    assertThat(result).as("no more are looked at in this second").isEqualTo(Denial.VERIFYING);
    assertThat(check(known)).isInstanceOf(Principal.class);
    folder.pass(Duration.ofSeconds(2));
    long until = System.nanoTime() + 20_000_000_000L;
    while (check(good) == Denial.VERIFYING && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(check(good)).isInstanceOf(Principal.class);
  }

  @Test
  void check_otherKeys_workBesideIt() throws Exception {
    assertThat(check(folder.adminKey())).isInstanceOf(Principal.class);
    assertThat(check("eyJ.no.token")).isEqualTo(Denial.UNKNOWN);
    assertThat(check("x".repeat(5_000))).isEqualTo(Denial.UNKNOWN);
  }
}
