package gilmok.auth;

import static gilmok.auth.KeyFolder.made;
import static gilmok.auth.KeyFolder.named;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rate of keys made without one of their own ({@code auth.rate}), which can change. */
@Tag("unit")
class UsualRateTest {
  private KeyFolder folder;

  @BeforeEach
  void open(@TempDir Path data) {
    folder = new KeyFolder(data);
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
  }

  @Test
  void usualRate_fromTheStart_boundsKeysWithoutARate() throws IOException {
    Keys keys = folder.open(new AuthConfig(null, 10, Duration.ofDays(30), List.of(), 2));
    String key = made(keys, named("app", Scope.COLLECT)).key();

    assertThat(passes(keys, key)).isEqualTo(2);
    folder.pass(Duration.ofSeconds(1));
    assertThat(passes(keys, key)).isEqualTo(2);
    assertThat(passes(keys, folder.adminKey())).as("an admin's has no bound").isEqualTo(100);
  }

  @Test
  void usualRate_changed_isInForceAtOnce_andUsedUpAsItWas() throws IOException {
    Keys keys = folder.open();
    String key = made(keys, named("app", Scope.COLLECT)).key();
    KeyRequest slow = new KeyRequest("slow", Set.of(Scope.READ), null, null, 1);
    String own = made(keys, slow).key();
    assertThat(passes(keys, key)).isEqualTo(100);

    keys.usualRate(3);

    assertThat(passes(keys, key)).isEqualTo(3);
    assertThat(passes(keys, own)).as("its own rate").isEqualTo(1);
    assertThat(passes(keys, made(keys, named("new", Scope.READ)).key())).isEqualTo(3);
    keys.usualRate(3);
    keys.reload();
    assertThat(passes(keys, key)).as("the same again fills nothing").isZero();

    keys.usualRate(0);

    assertThat(passes(keys, key)).isEqualTo(100);
    assertThat(passes(keys, own)).isZero();
  }

  /** How many of a hundred requests pass at one moment. */
  private static int passes(Keys keys, String key) {
    int passed = 0;
    for (int i = 0; i < 100; i++) {
      passed += keys.check(key, null, null) instanceof Principal ? 1 : 0;
    }
    return passed;
  }
}
