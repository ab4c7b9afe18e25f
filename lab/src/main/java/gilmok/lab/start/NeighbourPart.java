package gilmok.lab.start;

import gilmok.lab.Metrics;
import gilmok.lab.ProcessorClock;
import gilmok.lab.Servers;
import gilmok.lab.report.Chapter;
import gilmok.lab.start.NeighbourChapter.Answers;
import gilmok.lab.start.NeighbourChapter.Firsts;
import gilmok.lab.start.NeighbourChapter.Plan;
import gilmok.lab.start.NeighbourChapter.Row;
import gilmok.lab.start.NeighbourChapter.Seen;
import gilmok.lab.start.NeighbourChapter.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures the container of the first story as it was: it asked for a fraction of a processor, had
 * no limit, and neighbours were busy. Not thread-safe.
 *
 * @param work the folder for the neighbour's output
 */
record NeighbourPart(Trials trials, Starter starter, Path work) {
  /**
   * What the server asked for, and who is beside it.
   *
   * @param asked processors
   * @param isBeside whether it has a busy neighbour
   */
  record Situation(double asked, boolean isBeside) {
    String name(WarmUpWay way) {
      return "asked for %s, %s, %s"
          .formatted(
              NeighbourChapter.plain(asked), isBeside ? "busy neighbour" : "alone", way.label());
    }
  }

  /** Starts in all situations, in each of these ways. */
  Chapter measure(Plan plan, List<WarmUpWay> ways) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    try {
      for (Situation situation : situations(plan)) {
        for (WarmUpWay way : ways) {
          try {
            rows.add(row(plan, situation, way));
          } catch (CpuGroup.Forbidden here) {
            throw here;
          } catch (IOException failed) { // such as a server that is not ready in minutes
            trials.say(String.valueOf(failed.getMessage()));
            notes.add(situation.name(way) + ": not measured: " + firstLine(failed));
          }
        }
      }
      for (double asked : List.of(plan.asked(), 1.0)) {
        notes.add(
            "`gilmok doctor` of who asked for "
                + NeighbourChapter.plain(asked)
                + ": "
                + doctor(asked)
                + ".");
      }
    } catch (CpuGroup.Forbidden here) {
      trials.say(String.valueOf(here.getMessage()));
      notes.add("Not measured: " + here.getMessage());
    }
    return NeighbourChapter.of(plan, rows, notes);
  }

  /** Those without a neighbour first: the AOT cache is made in the first start that needs it. */
  private static List<Situation> situations(Plan plan) {
    return List.of(
        new Situation(1, false),
        new Situation(plan.asked(), false),
        new Situation(1, true),
        new Situation(plan.asked(), true));
  }

  private static String firstLine(IOException failed) {
    return String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
  }

  /** Starts twice in a situation: for the first requests, and for the load. */
  Row row(Plan plan, Situation situation, WarmUpWay way) throws IOException, InterruptedException {
    String name = situation.name(way);
    trials.say(name);
    try (CpuGroup group = CpuGroup.weighted("pod", CpuWeight.asking(situation.asked()));
        BusyNeighbour neighbour = situation.isBeside() ? neighbour(plan) : null) {
      Starter.Wish wish = Starter.Wish.of(way).within(group);
      Trials.First first = trials.firstWhateverIsAnswered(wish);
      Look look = new Look(neighbour);
      Trials.Loaded loaded = trials.loaded(wish, plan.rate(), plan.seconds(), look);
      trials.say(
          "p99 %.2f ms at %d/s; %.2f processors until ready"
              .formatted(loaded.taken().p99(), plan.rate(), look.server));
      return new Row(
          name,
          Spread.of(List.of(first.live(), loaded.live())),
          Spread.of(List.of(first.ready(), loaded.ready())),
          new Firsts(
              first.holding(), first.figures().size(), first.unexpected(), first.worstMillis()),
          new Answers(loaded.taken().p50(), loaded.taken().p99(), loaded.taken().max()),
          new Seen(look.server, look.neighbours, look.told()));
    }
  }

  private BusyNeighbour neighbour(Plan plan) throws IOException {
    CpuGroup group = CpuGroup.weighted("neighbour", CpuWeight.asking(plan.neighbour()));
    return BusyNeighbour.start(group, plan.processors(), work);
  }

  /** What {@code gilmok doctor} says of a server that has asked for processors. */
  String doctor(double asked) throws IOException, InterruptedException {
    try (CpuGroup group = CpuGroup.weighted("pod", CpuWeight.asking(asked))) {
      List<String> said = starter.doctor(group, "processors asked for");
      return said.isEmpty()
          ? "says nothing of it"
          : '"' + String.join("; ", said).replaceAll(" +", " ") + '"';
    }
  }

  /** Looks at who has the processors until the server is ready, and at its metrics. */
  private static final class Look implements Trials.Watch {
    private static final String PRESSURE = "gilmok_host_pressure_seconds_total";

    private final @Nullable BusyNeighbour neighbour;
    private final double before;
    private double server;
    private double neighbours;
    private double pressureBefore;
    private long readyNanos;
    private @Nullable Told told;

    private Look(@Nullable BusyNeighbour neighbour) {
      this.neighbour = neighbour;
      before = neighbourSeconds();
    }

    private double neighbourSeconds() {
      return neighbour == null ? 0 : neighbour.processorSeconds();
    }

    @Override
    public void ready(Starter.Started started) throws IOException, InterruptedException {
      double used = new ProcessorClock(started.subject().pid()).nanos() / 1e9;
      server = used / started.ready();
      neighbours = (neighbourSeconds() - before) / started.ready();
      readyNanos = System.nanoTime();
      pressureBefore = pressure(Servers.metrics(started.subject()));
    }

    @Override
    public void loaded(Starter.Started started) throws IOException, InterruptedException {
      Metrics metrics = Servers.metrics(started.subject());
      double seconds = (System.nanoTime() - readyNanos) / 1e9;
      told =
          new Told(
              metrics.sum("gilmok_processors", ""),
              metrics.sum("gilmok_cpu_throttled_periods_total", ""),
              1000 * metrics.most("gilmok_event_loop_lag_seconds_max", ""),
              (pressure(metrics) - pressureBefore) / seconds,
              metrics.sum("system_cpu_usage", ""));
    }

    private static double pressure(Metrics metrics) {
      return metrics.sum(PRESSURE, "resource=\"cpu\"");
    }

    private Told told() {
      if (told == null) {
        throw new IllegalStateException("it was not loaded");
      }
      return told;
    }
  }
}
