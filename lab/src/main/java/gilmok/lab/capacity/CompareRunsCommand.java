package gilmok.lab.capacity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;

/**
 * {@code gilmok compare-runs}: what changed between two reports of {@code gilmok capacity} by more
 * than they spread. Exits with 0 when nothing got worse, 1 when something did.
 */
@Command(
    name = "compare-runs",
    description = {
      "Say what changed between two runs of capacity by more than they spread.",
      "",
      "Exit code: 0 if nothing got worse beyond the spread, else 1."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok compare-runs before.json after.json",
    })
public final class CompareRunsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "A", description = "The JSON of the run before.")
  private Path before = Path.of("");

  @Parameters(index = "1", paramLabel = "B", description = "The JSON of the run after.")
  private Path after = Path.of("");

  /**
   * One figure of both runs.
   *
   * @param higherIsBetter as of a rate
   */
  record Figure(
      String name,
      CapacityReport.Range before,
      CapacityReport.Range after,
      boolean higherIsBetter) {
    double change() {
      return before.median() == 0 ? 0 : after.median() / before.median() - 1;
    }

    /** Whether all of one run lie beyond all of the other. */
    boolean isBeyondSpread() {
      return after.least() > before.most() || after.most() < before.least();
    }

    boolean isWorse() {
      return isBeyondSpread() && change() < 0 == higherIsBetter;
    }

    String line() {
      String end = !isBeyondSpread() ? "within the spread" : isWorse() ? "WORSE" : "better";
      return String.format(
          Locale.ROOT,
          "%-38s %14s  %14s  %+7.1f %%  %s",
          name,
          shown(before),
          shown(after),
          100 * change(),
          end);
    }

    private static String shown(CapacityReport.Range range) {
      return String.format(Locale.ROOT, range.median() >= 100 ? "%,.0f" : "%.2f", range.median());
    }
  }

  @Override
  public Integer call() throws IOException {
    CapacityReport a = read(before);
    CapacityReport b = read(after);
    String scenario = a.environment().scenario();
    if (!scenario.equals(b.environment().scenario())) {
      throw misused(
          before + " is of " + scenario + ", " + after + " of " + b.environment().scenario());
    }
    if (!a.environment().goals().equals(b.environment().goals())) {
      System.out.println(
          "The goals differ: " + a.environment().goals() + ", then " + b.environment().goals());
    }
    List<Figure> figures = figures(a, b);
    figures.forEach(figure -> System.out.println(figure.line()));
    System.out.printf(
        "what ended it: %s, then %s%n",
        a.limit().cause().getFirst().resource().label(),
        b.limit().cause().getFirst().resource().label());
    a.environment()
        .facts()
        .forEach(
            (name, value) -> {
              String now = b.environment().facts().getOrDefault(name, "");
              if (!now.equals(value) && !name.equals("when")) {
                System.out.printf("%s: %s%n%s  now: %s%n", name, value, " ".repeat(2), now);
              }
            });
    return figures.stream().anyMatch(Figure::isWorse) ? 1 : 0;
  }

  /** The figures of two reports of one scenario. */
  static List<Figure> figures(CapacityReport a, CapacityReport b) {
    List<Figure> figures = new ArrayList<>();
    // The search does not tell rates apart that are nearer than its resolution.
    figures.add(new Figure("highest rate, /s", searched(a), searched(b), true));
    figures.add(of(a, b, "processor-seconds a million", LoadStep::secondsPerMillion));
    for (String name : List.of("p50", "p99", "p99.9")) {
      figures.add(
          of(
              a,
              b,
              name + " at the highest rate, ms",
              step -> step.latencyMillis().getOrDefault(name, 0.0)));
    }
    for (CapacityReport.Overload overload : a.overloads()) {
      b.overloads().stream()
          .filter(other -> other.factor() == overload.factor())
          .findFirst()
          .ifPresent(
              other ->
                  figures.add(
                      new Figure(
                          String.format(
                              Locale.ROOT,
                              "accepted at %.0f %%, of the limit",
                              100 * overload.factor()),
                          about(overload.goodput()),
                          about(other.goodput()),
                          true)));
    }
    return figures;
  }

  private static Figure of(
      CapacityReport a, CapacityReport b, String name, ToDoubleFunction<LoadStep> figure) {
    return new Figure(name, a.limit().range(figure), b.limit().range(figure), false);
  }

  private static CapacityReport.Range searched(CapacityReport report) {
    double units = report.limit().units();
    return new CapacityReport.Range(
        units / LimitSearch.RESOLUTION, units, units * LimitSearch.RESOLUTION);
  }

  /** A single measurement, which is not better than a tenth. */
  private static CapacityReport.Range about(double value) {
    return new CapacityReport.Range(0.9 * value, value, 1.1 * value);
  }

  private CapacityReport read(Path file) throws IOException {
    try {
      return CapacityReport.read(Files.readString(file));
    } catch (JacksonException unreadable) {
      throw misused(file + " is no report of gilmok capacity: " + unreadable.getOriginalMessage());
    }
  }

  private RuntimeException misused(String why) {
    return spec == null
        ? new IllegalArgumentException(why)
        : new ParameterException(spec.commandLine(), why);
  }
}
