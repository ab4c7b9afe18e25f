package gilmok.auth;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import gilmok.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a token costs on the event loop. Not a test: run its {@code main}. */
final class JwtSpeed {
  private static final String ISSUER = "https://login.example";
  private static final int TOKENS = 2_000;
  private static final int ROUNDS = 9;

  private JwtSpeed() {}

  public static void main(String[] arguments) throws Exception {
    RSAKey rsa = new RSAKeyGenerator(2048).keyID("r").generate();
    ECKey ec = new ECKeyGenerator(Curve.P_256).keyID("e").generate();
    Path jwks = Files.createTempFile("jwks", ".json");
    try {
      Files.writeString(jwks, new JWKSet(List.of(rsa, ec)).toPublicJWKSet().toString());
      measure("RS256", rsa, jwks);
      measure("ES256", ec, jwks);
    } finally {
      Files.delete(jwks);
    }
  }

  private static void measure(String name, JWK by, Path jwks) throws Exception {
    Settings settings =
        new Settings(
            Map.of(
                "auth.jwt.jwks",
                jwks.toString(),
                "auth.jwt.issuer",
                ISSUER,
                "auth.jwt.audience",
                "fleet",
                "auth.jwt.rider-claim",
                "sub"));
    JwtConfig config = Objects.requireNonNull(JwtConfig.of(settings));
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < TOKENS; i++) {
      tokens.add(token(by, "r-" + i, "fleet"));
    }
    String foreign = token(by, "r", "others");
    double[] first = new double[ROUNDS];
    double[] again = new double[ROUNDS];
    double[] refused = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      JwtCheck check = new JwtCheck(config, InstantSource.system());
      while (check.check(tokens.getFirst()) == Denial.VERIFYING) {
        Thread.onSpinWait();
      }
      first[round] = micros(() -> tokens.forEach(token -> expect(check.check(token))));
      again[round] = micros(() -> tokens.forEach(token -> expect(check.check(token))));
      refused[round] = micros(() -> tokens.forEach(_ -> refuse(check.check(foreign))));
    }
    System.out.printf(
        "%s: verified %.1f µs, remembered %.2f µs, of another audience %.2f µs (medians of %d)%n",
        name, median(first), median(again), median(refused), ROUNDS);
  }

  private static void expect(AuthResult result) {
    if (!(result instanceof Principal)) {
      throw new AssertionError(result);
    }
  }

  private static void refuse(AuthResult result) {
    if (result != Denial.UNKNOWN) {
      throw new AssertionError(result);
    }
  }

  private static double micros(Runnable work) {
    long began = System.nanoTime();
    work.run();
    return (System.nanoTime() - began) / 1e3 / TOKENS;
  }

  private static double median(double[] all) {
    Arrays.sort(all);
    return all[all.length / 2];
  }

  private static String token(JWK by, String subject, String audience) throws Exception {
    boolean isRsa = by instanceof RSAKey;
    JWSSigner signer = isRsa ? new RSASSASigner(by.toRSAKey()) : new ECDSASigner(by.toECKey());
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(isRsa ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256)
                .keyID(by.getKeyID())
                .build(),
            new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(audience)
                .subject(subject)
                .expirationTime(Date.from(Instant.now().plusSeconds(3_600)))
                .build());
    token.sign(signer);
    return token.serialize();
  }
}
