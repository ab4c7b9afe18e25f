package gilmok.auth;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Any text sent as a credential is refused; none makes the check throw. */
@Tag("unit")
@Tag("soak")
class PresentedKeyFuzz {
  private static final String[] PIECES = {
    "gk_",
    "_",
    "Basic ",
    "Bearer ",
    "=",
    "==",
    "A",
    "zz",
    " ",
    ":",
    "\u00e9",
    "\ud800",
    "a2b3c4d5",
    ""
  };

  @Test
  void check_anyPieces_unknownOrMissing(@TempDir Path folder) throws IOException {
    Keys keys = new KeyFolder(folder).open("the-admin-key-here");
    SplittableRandom random = new SplittableRandom(Seeds.first());
    int cases = Seeds.share(200_000);
    for (int i = 0; i < cases; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(7); n > 0; n--) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
      }
      String shown = text.toString();
      AuthResult result =
          switch (i % 3) {
            case 0 -> keys.check(shown, null, null);
            case 1 -> keys.check(null, shown, null);
            default -> keys.check(null, null, shown);
          };
      assertThat(result).isEqualTo(shown.isBlank() ? Denial.MISSING : Denial.UNKNOWN);
    }
  }
}
