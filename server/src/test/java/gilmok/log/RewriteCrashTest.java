package gilmok.log;

import gilmok.Seeds;
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

/** The process or the machine dies at any operation of a rewriting ({@link RewriteLife}). */
@Tag("unit")
@Tag("soak")
@ResourceLock("java.util.logging")
final class RewriteCrashTest {
  private static final int SEEDS_FOR_A_MUTANT = 2000;
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
  void anyCrash_leavesEachRecordAsBeforeOrAsItIsToBe() {
    Seeds.each(
        4000,
        seed -> {
          AssertionError broken = broken(seed, RewriteLife.Mutant.NONE);
          if (broken != null) {
            throw broken;
          }
        });
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void rewritingThatLacksSomething_isCaught(RewriteLife.Mutant mutant) {
    for (long seed = 1; seed <= SEEDS_FOR_A_MUTANT; seed++) {
      if (broken(seed, mutant) != null) {
        return;
      }
    }
    throw new AssertionError("nobody noticed within " + SEEDS_FOR_A_MUTANT + " seeds");
  }

  private static @Nullable AssertionError broken(long seed, RewriteLife.Mutant mutant) {
    RewriteLife life = new RewriteLife(seed, mutant);
    try {
      life.live();
      return null;
    } catch (Exception | AssertionError broken) {
      return new AssertionError(life.story(), broken);
    }
  }
}
