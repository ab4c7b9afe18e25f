package gilmok.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
final class HiddenSecretsTest {
  @ParameterizedTest
  @CsvSource({
    "timed out; cluster state, u, timed out; cluster state",
    "user 'u' cannot log in, u, user '********' cannot log in",
    "mongodb://me:server@h servers, server, mongodb://me:********@h servers",
    "xa-long-secret-1y, a-long-secret-1, x********y",
    "p@ss in xp@ssx, p@ss, ******** in x********x",
    "costs $1, $1, costs ********",
  })
  void secret_isHidden_andNoOtherWordBroken(String text, String secret, String shown) {
    assertThat(HiddenSecrets.in(text, List.of(secret))).isEqualTo(shown);
  }
}
