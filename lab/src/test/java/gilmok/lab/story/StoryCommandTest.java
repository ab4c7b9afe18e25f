package gilmok.lab.story;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Commands;
import gilmok.lab.Lab;
import gilmok.lab.story.experiment.ChapterStory;
import gilmok.lab.story.experiment.CommandStory;
import gilmok.lab.story.experiment.Story;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

/** The list of stories, and that each can be run. */
@Tag("unit")
final class StoryCommandTest {
  private final CommandLine lab = Commands.line("lab", Lab.commands());

  @Test
  void withoutAName_theyAreListed() {
    StringWriter out = new StringWriter();

    int code = lab.setOut(new PrintWriter(out, true)).execute("lab", "story");

    assertThat(code).isZero();
    assertThat(out.toString()).contains("pool\n", "cache (gilmok lab missions --only STEPS)\n");
  }

  @Test
  void unknownName_isRefused_withThoseThatThereAre() {
    StringWriter err = new StringWriter();

    int code = lab.setErr(new PrintWriter(err, true)).execute("lab", "story", "pools");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("no story pools", "compute, pool, heap");
  }

  @Test
  void experiments_eachIsOnThePageOfStories_withItsPlot() throws IOException {
    String page = Files.readString(Path.of("../docs/stories.md"));
    for (Story story : Stories.ALL) {
      if (story instanceof ChapterStory) {
        assertThat(page).contains("`lab story " + story.name() + "`");
        assertThat(page).contains("lab/kept/story-" + story.name() + ".svg");
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> otherCommands_takeTheirArguments() {
    return Stories.ALL.stream()
        .filter(CommandStory.class::isInstance)
        .map(CommandStory.class::cast)
        .map(
            story ->
                DynamicTest.dynamicTest(
                    story.name(),
                    () -> {
                      List<String> arguments = new ArrayList<>(List.of("lab"));
                      arguments.addAll(story.arguments());
                      assertThat(lab.parseArgs(arguments.toArray(String[]::new)).errors())
                          .isEmpty();
                    }));
  }
}
