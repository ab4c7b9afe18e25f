package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.ServerConfig;
import gilmok.config.Settings;
import gilmok.config.SettingsSources;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that are good, that end soon, that have ended, and those of another key. */
@Tag("unit")
final class CertificateDoctorTest {
  private final Instant now = Instant.now();
  @TempDir Path folder;

  private static X509Bundle bundle(Instant begin, Instant end) throws Exception {
    return new CertificateBuilder()
        .subject("CN=one")
        .notBefore(begin)
        .notAfter(end)
        .setIsCertificateAuthority(true)
        .buildSelfSigned();
  }

  private X509Bundle days(int begin, int end) throws Exception {
    return bundle(now.plus(Duration.ofDays(begin)), now.plus(Duration.ofDays(end)).plusSeconds(9));
  }

  private List<Check> tls(X509Bundle certificate, X509Bundle key) throws Exception {
    Path chain = folder.resolve("tls.crt");
    Path secret = folder.resolve("tls.key");
    Files.writeString(chain, certificate.getCertificatePathPEM());
    Files.writeString(secret, key.getPrivateKeyPEM());
    return look("", "tls.certificate=" + chain, "tls.key=" + secret);
  }

  private List<Check> look(String relayCa, String... settings) {
    SettingsSources sources = new SettingsSources();
    List.of(settings).forEach(sources::option);
    return CertificateDoctor.look(ServerConfig.from(new Settings(sources)), relayCa, now);
  }

  @Test
  void none_isNothing() {
    assertThat(look("")).isEmpty();
  }

  @Test
  void good_isWell() throws Exception {
    X509Bundle good = days(-10, 80);
    List<Check> checks = tls(good, good);
    assertThat(checks).extracting(Check::what).containsExactly("tls.certificate", "tls.key");
    assertThat(checks).extracting(Check::verdict).containsOnly("well");
    assertThat(checks.getFirst().seen()).endsWith(", in 80 days");
    // One that lives for six days, as some authorities' do, is renewed in its last two.
    X509Bundle brief = days(-2, 4);
    assertThat(tls(brief, brief).getFirst().verdict()).isEqualTo("well");
  }

  @Test
  void soonEndedOrEarly_isSaid() throws Exception {
    X509Bundle soon = days(-61, 29);
    assertThat(tls(soon, soon).getFirst().verdict()).isEqualTo("look");
    assertThat(tls(soon, soon).getFirst().advice()).contains("without a restart");
    X509Bundle ofADay = days(0, 1);
    assertThat(tls(ofADay, ofADay).getFirst().seen()).endsWith(", in 1 days");
    X509Bundle ended = days(-9, -1);
    assertThat(tls(ended, ended).getFirst().seen()).startsWith("ended on ");
    assertThat(tls(ended, ended).getFirst().verdict()).isEqualTo("look");
    X509Bundle early = days(2, 90);
    assertThat(tls(early, early).getFirst().seen()).startsWith("is not valid before ");
    assertThat(tls(early, early).getFirst().advice()).contains("clock");
  }

  @Test
  void anothersKey_isSaid() throws Exception {
    Check key = tls(days(-10, 80), days(-10, 80)).getLast();
    assertThat(key.verdict()).isEqualTo("look");
    assertThat(key.seen()).contains("the key does not belong to the certificate");
  }

  @Test
  void filesThatCannotBeUsed_areNamed() throws Exception {
    Path none = folder.resolve("none");
    Path text = Files.writeString(folder.resolve("text"), "no PEM\n");
    assertThat(look("", "tls.certificate=" + none, "tls.key=" + none))
        .extracting(Check::verdict)
        .containsExactly("look", "look");
    assertThat(look("", "tls.certificate=" + text, "tls.key=" + text).getFirst().advice())
        .contains(text.toString());
  }

  @Test
  void authoritiesOfPartners_theFirstToEndCounts() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("ca.pem"),
            days(-10, 800).getCertificatePathPEM() + days(-500, 20).getCertificatePathPEM());
    Check ca = look(file.toString()).getFirst();
    assertThat(ca.what()).isEqualTo("relay.ca");
    assertThat(ca.seen()).endsWith(", in 20 days, the first of 2");
    assertThat(ca.advice()).contains("restart");
  }
}
