package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.capacity.Chapter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's jar, started and asked; what was measured is not looked at, only that it was. */
class StartIT {
  private static final Path JAR = Path.of("../server/target/gilmok-all.jar");

  @TempDir private Path work;

  private final List<String> said = new ArrayList<>();

  private Trials trials() {
    assertThat(Files.exists(JAR)).as("%s: build with package or verify", JAR).isTrue();
    Starter.Setup setup =
        new Starter.Setup(
            JAR.toAbsolutePath().normalize(),
            Path.of("unused"),
            work,
            LauncherOptions.USUAL,
            null,
            List.of("warm-up.limit=1s"),
            0);
    Trials.Times times = new Trials.Times(1, 1, 4, 1, 2, 4);
    return new Trials(new Starter(setup), times, 7, said::add);
  }

  @Test
  void first_everyRequest_isAnsweredAsItsScriptSays() throws Exception {
    Trials.First first = trials().first(Starter.Wish.of(Way.NOTHING));
    assertThat(first.figures()).hasSameSizeAs(MeasuredRequests.script().shots());
    assertThat(first.live()).isPositive().isLessThanOrEqualTo(first.ready());
    Chapter chapter = FirstChapter.of(List.of(first), trials().times());
    assertThat(chapter.rows()).hasSameSizeAs(first.figures());
    assertThat(chapter.page("", "", "")).contains("an order, handed over");
  }

  @Test
  void full_rightAfterReady_countsEachSecond() throws Exception {
    Trials.Loaded loaded = trials().full(Starter.Wish.of(Way.HTTP));
    assertThat(loaded.taken().errors()).isEmpty();
    assertThat(loaded.taken().rates()).hasSize(1).allMatch(rate -> rate > 0);
    assertThat(work.toFile().list()).noneMatch(left -> left.startsWith("data"));
  }
}
