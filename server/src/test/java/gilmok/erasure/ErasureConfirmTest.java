package gilmok.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.privacy.Pseudonyms;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class ErasureConfirmTest {
  private static final Pseudonyms SEALS =
      new Pseudonyms("sixteen bytes ok".getBytes(StandardCharsets.UTF_8));

  private static ErasureConfirm at(long millis) {
    return new ErasureConfirm(SEALS, InstantSource.fixed(Instant.ofEpochMilli(millis)));
  }

  @Test
  void token_isGoodForTenMinutes_forThatRiderAndThatKey() {
    String token = at(1_000).token("rider-7", "k1");
    assertThat(at(1_000).isGood(token, "rider-7", "k1")).isTrue();
    assertThat(at(1_000 + 599_999).isGood(token, "rider-7", "k1")).isTrue();
    assertThat(at(1_000 + 600_000).isGood(token, "rider-7", "k1")).isFalse();
    assertThat(at(1_000).isGood(token, "rider-8", "k1")).isFalse();
    assertThat(at(1_000).isGood(token, "rider-7", "k2")).isFalse();
    assertThat(token).doesNotContain("rider-7").doesNotContain("k1");
  }

  @Test
  void token_ofAnotherSecret_orMadeUp_isNone() {
    String token = at(1_000).token("rider-7", "k1");
    ErasureConfirm other =
        new ErasureConfirm(
            new Pseudonyms("another 16 bytes".getBytes(StandardCharsets.UTF_8)),
            InstantSource.fixed(Instant.ofEpochMilli(1_000)));
    assertThat(other.isGood(token, "rider-7", "k1")).isFalse();
    String later = Long.toString(1_000 + 600_001, 36) + token.substring(token.indexOf('.'));
    assertThat(at(1_000).isGood(later, "rider-7", "k1")).as("a time of its own").isFalse();
    for (String none : new String[] {"", ".", "x", "zz.", "!.p-a", "9999999999999999.p-a"}) {
      assertThat(at(1_000).isGood(none, "rider-7", "k1")).as(none).isFalse();
    }
  }
}
