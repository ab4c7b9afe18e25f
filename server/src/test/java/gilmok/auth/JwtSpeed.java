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
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a token costs on the event loop. Not a test: run its {@code main}. */
final class JwtSpeed {
  private static final String ISSUER = "https://login.example";
  private static final int TOKENS = 1_000;
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
      first[round] = micros(check, tokens, Principal.class);
      again[round] = micros(check, tokens, Principal.class);
      refused[round] = micros(check, Collections.nCopies(TOKENS, foreign), Denial.class);
    }
    System.out.printf(
        "%s: verified %.1f µs, remembered %.2f µs, of another audience %.2f µs (medians of %d)%n",
        name, median(first), median(again), median(refused), ROUNDS);
  }

  /** The mean over all tokens. One that has no time to be verified in this second waits for it. */
  private static double micros(JwtCheck check, List<String> tokens, Class<?> wanted) {
    long sum = 0;
    for (String token : tokens) {
      AuthResult result = Denial.VERIFYING;
      while (result == Denial.VERIFYING) {
        long began = System.nanoTime();
        result = check.check(token);
        sum += result == Denial.VERIFYING ? 0 : System.nanoTime() - began;
      }
      if (!wanted.isInstance(result)) {
        throw new AssertionError(result);
      }
    }
    return sum / 1e3 / tokens.size();
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
