package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.log.PowerLossDisk.Lie;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nothing acknowledged is lost when the process or the machine dies at any operation of the disk. A
 * seed that breaks a promise is kept here by its number.
 */
@Tag("unit")
@Tag("soak")
@ResourceLock("java.util.logging")
final class PowerLossTest {
  private static final int SEEDS_FOR_A_LIE = 2000;
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  @Test
  void anyCrash_losesNothingAcknowledged() {
    Seeds.each(
        2000,
        seed -> {
          AssertionError broken = brokenPromise(seed, Lie.NONE);
          if (broken != null) {
            throw broken;
          }
        });
  }

  @Test
  void anyCrashAmongManyThreads_losesNothingAcknowledged() {
    Seeds.each(100, seed -> new PowerLossStorm(seed, Lie.NONE).live());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void diskThatLies_isCaught(Lie lie) {
    for (long seed = 1; seed <= SEEDS_FOR_A_LIE; seed++) {
      if (brokenPromise(seed, lie) != null) {
        return;
      }
    }
    throw new AssertionError("nobody noticed within " + SEEDS_FOR_A_LIE + " seeds");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void sameSeed_sameLife(long seed) throws Exception {
    PowerLossLife once = new PowerLossLife(seed, Lie.NONE);
    PowerLossLife again = new PowerLossLife(seed, Lie.NONE);
    once.live();
    again.live();
    assertThat(again.story()).isEqualTo(once.story());
    assertThat(again.operations()).isEqualTo(once.operations());
  }

  private static @Nullable AssertionError brokenPromise(long seed, Lie lie) {
    PowerLossLife life = new PowerLossLife(seed, lie);
    try {
      life.live();
      return null;
    } catch (Exception | AssertionError broken) {
      return new AssertionError(life.story(), broken);
    }
  }
}
