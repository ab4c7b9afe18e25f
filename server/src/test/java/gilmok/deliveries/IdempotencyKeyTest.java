package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Sha256;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class IdempotencyKeyTest {
  @Test
  void key_isVisibleAscii_ofABoundedLength() {
    for (String good : new String[] {"a", "~!", "x".repeat(255)}) {
      assertThat(IdempotencyKey.isOne(good)).as(good).isTrue();
    }
    for (String bad : new String[] {"", " ", "a b", "x".repeat(256), "\u00e9", "\u007f", "\t"}) {
      assertThat(IdempotencyKey.isOne(bad)).as(bad).isFalse();
    }
  }

  @Test
  void source_tellsCallersKeysStepsAndBodiesApart() {
    String one = source("name:ops", "k", Step.ASSIGN, "{}");
    assertThat(source("name:ops", "k", Step.ASSIGN, "{}")).isEqualTo(one);
    assertThat(IdempotencyKey.isSource(one)).isTrue();
    assertThat(IdempotencyKey.isSource("aaaaaaaaaaah:7")).isFalse();
    assertThat(IdempotencyKey.isSource(null)).isFalse();
    for (String other :
        new String[] {
          source("name:ops", "k", Step.ASSIGN, "{ }"), source("name:ops", "k", Step.ACCEPT, "{}")
        }) {
      assertThat(other).isNotEqualTo(one);
      assertThat(IdempotencyKey.isSame(one, other)).isTrue();
    }
    for (String other :
        new String[] {
          source("name:ops", "k2", Step.ASSIGN, "{}"), source("shop:ops", "k", Step.ASSIGN, "{}")
        }) {
      assertThat(IdempotencyKey.isSame(one, other)).isFalse();
    }
    assertThat(IdempotencyKey.isSame(one, null)).isFalse();
    assertThat(IdempotencyKey.isSame("aaaaaaaaaaah:7", "aaaaaaaaaaah:7")).isFalse();
  }

  private static String source(String scope, String key, Step step, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return IdempotencyKey.source(Sha256.digest(), scope, key, step, bytes, 0, bytes.length);
  }
}
