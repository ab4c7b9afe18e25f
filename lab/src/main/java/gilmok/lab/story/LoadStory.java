package gilmok.lab.story;

import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Figures;
import gilmok.lab.story.experiment.ChapterStory;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A story in which the same load asks small servers, one after the other: as it was, and as it was
 * mended.
 *
 * @param ways as it was, then as it was mended
 * @param load what asks each way
 * @param lesson what the figures are to show
 */
record LoadStory(String name, String told, List<StoryWay> ways, Load load, String lesson)
    implements ChapterStory {
  private static final String HEAD =
      "way | highest/s | asked/s | p50 | p99 | max | server, cores | failed | blocked on"
          + " | collections";

  /**
   * The load of a story, an open loop.
   *
   * @param perSecond requests for {@code /phone}
   * @param connections for these
   * @param status that they are to be answered with
   * @param besidePath what is asked beside; null for nothing
   * @param besidePerSecond how often
   */
  record Load(
      double perSecond,
      int connections,
      int status,
      @Nullable String besidePath,
      double besidePerSecond) {
    static Load of(double perSecond, int connections, int status) {
      return new Load(perSecond, connections, status, null, 0);
    }
  }

  @Override
  public Chapter show(StoryStage stage) throws IOException, InterruptedException {
    List<List<String>> rows = new ArrayList<>();
    List<BarChart.Bar> latencies = new ArrayList<>();
    List<BarChart.Bar> rates = new ArrayList<>();
    List<BarChart.Bar> cores = new ArrayList<>();
    for (StoryWay way : ways) {
      WayOutcome outcome = WayOutcome.of(way, load, stage);
      double used = outcome.phones().used().serverCores();
      rows.add(
          List.of(
              way.label(),
              Figures.whole(outcome.highest()),
              Figures.whole(load.perSecond()),
              Figures.fine(outcome.phones().p50()),
              Figures.fine(outcome.phones().p99()),
              Figures.fine(outcome.phones().max()),
              Figures.fine(used),
              outcome.phones().errors().isEmpty() ? "" : outcome.phones().errors().toString(),
              outcome.recorded().blocked(),
              outcome.recorded().collections()));
      latencies.add(Figures.bar(way.label(), outcome.phones().p99(), "ms"));
      rates.add(Figures.bar(way.label(), outcome.highest(), "a second"));
      cores.add(Figures.bar(way.label(), used, "processors"));
    }
    return new Chapter(
        name,
        "Story: " + name,
        HEAD,
        rows,
        List.of(),
        List.of(
            "Told: " + told,
            "To be seen: " + lesson + ".",
            "The highest rate is that of 64 connections that ask again at once. Then, at the rate"
                + " asked: milliseconds from when a request was due; waits to enter of 10 ms and longer, of all"
                + " threads together; collections of the whole run."),
        List.of(
            new BarChart.Panel("p99, ms, from when a request was due", latencies),
            new BarChart.Panel("highest rate, a second", rates),
            new BarChart.Panel("processors of the server", cores)));
  }
}
