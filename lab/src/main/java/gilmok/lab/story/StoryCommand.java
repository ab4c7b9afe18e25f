package gilmok.lab.story;

import gilmok.lab.options.PageOptions;
import gilmok.lab.options.ServerOptions;
import gilmok.lab.story.experiment.ChapterStory;
import gilmok.lab.story.experiment.CommandStory;
import gilmok.lab.story.experiment.Story;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lab story}: what broke in a story, as it was and as it was mended, in one run. Exits with
 * 0 if all goals were reached, else 1.
 */
@Command(
    name = "story",
    description = {
      "Show what broke in one of the five stories, as it was and as it was mended, in one run;"
          + " with a table and a plot.",
      "",
      "Without a name, the stories that there are are listed. Some are shown by other commands of"
          + " the laboratory, which are then run."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab story                                       # which there are",
      "  gilmok lab story pool                                  # a minute",
      "  gilmok lab story --all                                 # an hour and a half"
    })
public final class StoryCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "NAME", description = "Which ones.")
  private List<String> names = List.of();

  @Option(names = "--all", description = "Show all of them.")
  private boolean isAll;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      paramLabel = "N",
      description = "Seconds of each measurement (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Mixin private ServerOptions options = new ServerOptions();

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    List<String> known = Stories.ALL.stream().map(Story::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ParameterException(
            line, "There is no story " + name + "; there are " + String.join(", ", known));
      }
    }
    if (names.isEmpty() && !isAll) {
      Stories.ALL.forEach(story -> line.getOut().println(description(story)));
      return 0;
    }
    int worst = 0;
    for (Story story : Stories.ALL) {
      if (isAll || names.contains(story.name())) {
        worst = Math.max(worst, show(story, line));
      }
    }
    return worst;
  }

  private static String description(Story story) {
    String how =
        story instanceof CommandStory command
            ? " (gilmok lab " + String.join(" ", command.arguments()) + ")"
            : "";
    return story.name() + how + "\n  " + story.told();
  }

  private int show(Story story, CommandLine line) throws IOException, InterruptedException {
    return switch (story) {
      case ChapterStory chapter ->
          options.run(
              "story",
              (servers, folder) -> {
                StoryStage stage = new StoryStage(servers, options.heap(), folder, seconds);
                return pages.write("story", List.of(chapter.name()), _ -> chapter.show(stage));
              });
      case CommandStory other ->
          line.getCommandSpec()
              .root()
              .commandLine()
              .execute(
                  Stream.concat(Stream.of("lab"), other.arguments().stream())
                      .toArray(String[]::new));
    };
  }
}
