package gilmok.lab.story;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.ClassPathJar;
import gilmok.lab.Servers;
import gilmok.lab.report.Chapter;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments of stories, for a second each: what they show is to be seen even then. */
@Tag("process")
final class StoryIT {
  @TempDir Path folder;

  private Path labJar;

  @BeforeEach
  void asAfterABuild() throws IOException {
    ClassPathJar.write(folder, "server/target/gilmok-all.jar", "gilmok.process.Main");
    ClassPathJar.write(folder, "lab/target/gilmok-lab-all.jar", "gilmok.lab.Lab");
    labJar = folder.resolve("lab/target/gilmok-lab-all.jar");
  }

  private StoryStage stage(double seconds) {
    return new StoryStage(new Servers(labJar, folder), "256m", folder, seconds);
  }

  @Test
  void tenThreads_areTheLimit() throws Exception {
    // Ten threads that wait 50 ms each answer at most 200 a second, on any machine.
    LoadStory.Load load = LoadStory.Load.of(400, 1_000, 200);
    WayOutcome ten = WayOutcome.of(StoryWay.POOL_10, load, stage(1));

    assertThat(ten.highest()).isBetween(1.0, 240.0);
    assertThat(ten.recorded().collections()).isNotEqualTo("not recorded");
  }

  @Test
  void smallHeap_hasMoreMajorCollections() throws Exception {
    LoadStory.Load load = LoadStory.Load.of(300, 64, 200);
    WayOutcome small = WayOutcome.of(StoryWay.HEAP_SMALL, load, stage(1));
    WayOutcome large = WayOutcome.of(StoryWay.HEAP_LARGE, load, stage(1));

    assertThat(majors(small)).as(small.recorded().collections()).isGreaterThan(majors(large));
  }

  /** How many collections there were of the old generation. */
  private static int majors(WayOutcome outcome) {
    return List.of(outcome.recorded().collections().split("; ")).stream()
        .filter(kind -> kind.contains(" ParallelOld "))
        .mapToInt(kind -> Integer.parseInt(kind.substring(0, kind.indexOf(' '))))
        .sum();
  }

  @Test
  void squeeze_losesNothing() throws Exception {
    Chapter chapter = new SqueezeStory().show(stage(0.1));

    assertThat(chapter.reached()).as(chapter.verdicts().toString()).isTrue();
    assertThat(chapter.rows()).hasSize(5);
    assertThat(chapter.verdicts().getFirst().measured()).doesNotStartWith("0 ");
  }
}
