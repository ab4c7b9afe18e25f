package gilmok.lab.start;

import gilmok.lab.Servers;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.PositionsWorkload;
import gilmok.lab.load.RunResult;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The measurements on a server that has just become ready: its first requests, or its first load;
 * each needs a start of its own. Not thread-safe.
 */
final class Trials {
  private static final PositionsWorkload.Plan POSITIONS =
      new PositionsWorkload.Plan("/v1/traces", Servers.KEY, 1, 10_000, false);

  /**
   * Kept for all runs: closing event loops makes the compiler discard code of the load generator
   * that the first second of the next run needs.
   */
  private static final EventLoopGroup LOOPS = LoadRun.loops(1);

  private final Starter starter;
  private final Times times;
  private final Random random;
  private final Consumer<String> progress;

  /**
   * The numbers and durations of the measurements.
   *
   * @param starts the starts for each goal
   * @param fewStarts the starts for each way, each limit of the warm-up, and half load
   * @param rounds how often each of the first requests is sent again
   * @param seconds of full load
   * @param halfSeconds of half load
   */
  record Times(
      int starts, int fewStarts, int rounds, int seconds, int halfSeconds, int connections) {}

  /**
   * The results of first requests.
   *
   * @param live seconds from the process' start
   * @param ready seconds from the process' start
   */
  record First(double live, double ready, List<MeasuredRequests.Figure> figures) {
    First {
      figures = List.copyOf(figures);
    }

    /** Those that were not answered as their script says, such as refused ones. */
    long unexpected() {
      return figures.stream().filter(figure -> !figure.isExpected()).count();
    }

    long holding() {
      return figures.stream().filter(MeasuredRequests.Figure::holds).count();
    }

    /** The longest of the first requests, in milliseconds. */
    double worstMillis() {
      return figures.stream().mapToDouble(MeasuredRequests.Figure::first).max().orElse(0) / 1e3;
    }

    double worstRatio() {
      return figures.stream().mapToDouble(MeasuredRequests.Figure::ratio).max().orElse(0);
    }
  }

  /**
   * The results of a first load.
   *
   * @param throttled seconds that a CPU limit throttled the server, since its start
   */
  record Loaded(double live, double ready, RunResult taken, double throttled) {
    private static final int STEADY_SECONDS = 3;

    double firstSecond() {
      return taken.rates().getFirst();
    }

    /** The median rate of the last three seconds. */
    double steady() {
      List<Long> rates = taken.rates();
      int from = Math.max(0, rates.size() - STEADY_SECONDS);
      return Spread.of(rates.subList(from, rates.size()).stream().map(Long::doubleValue).toList())
          .median();
    }

    double ratio() {
      return firstSecond() / steady();
    }
  }

  Trials(Starter starter, Times times, long seed, Consumer<String> progress) {
    this.starter = starter;
    this.times = times;
    this.random = new Random(seed);
    this.progress = progress;
  }

  Times times() {
    return times;
  }

  /** Reports progress. */
  void say(String line) {
    progress.accept(line);
  }

  /** Measures only the times until ready. */
  List<double[]> times(Starter.Wish wish, int starts) throws IOException, InterruptedException {
    List<double[]> taken = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      try (Starter.Started server = starter.start(wish)) {
        taken.add(new double[] {server.live(), server.ready()});
        say("live %.2f s, ready %.2f s".formatted(server.live(), server.ready()));
      }
    }
    return taken;
  }

  /** Measures the first requests of one start. */
  First first(Starter.Wish wish) throws IOException, InterruptedException {
    return first(wish, requests -> requests.run(random));
  }

  /** The same for a server that has too little to answer all as expected, and says so. */
  First firstWhateverIsAnswered(Starter.Wish wish) throws IOException, InterruptedException {
    return first(wish, requests -> requests.runWhateverIsAnswered(random));
  }

  /** Sends first requests. */
  @FunctionalInterface
  private interface Sending {
    List<MeasuredRequests.Figure> send(MeasuredRequests requests) throws IOException;
  }

  private First first(Starter.Wish wish, Sending sending) throws IOException, InterruptedException {
    try (Starter.Started server = starter.start(wish.withKeys())) {
      MeasuredRequests requests =
          new MeasuredRequests(server.connector(), server.values(), times.rounds());
      First first = new First(server.live(), server.ready(), sending.send(requests));
      say(
          "%s, %s: live %.2f s, ready %.2f s, %d of %d first requests hold, the longest %.1f ms"
              .formatted(
                  wish.way().label(),
                  wish.protocol().label(),
                  first.live(),
                  first.ready(),
                  first.holding(),
                  first.figures().size(),
                  first.worstMillis()));
      return first;
    }
  }

  /** Measures the first requests of several starts. */
  List<First> firsts(Starter.Wish wish, int starts) throws IOException, InterruptedException {
    List<First> all = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      all.add(first(wish));
    }
    return all;
  }

  /** Measures full load from the moment of readiness. */
  Loaded full(Starter.Wish wish) throws IOException, InterruptedException {
    CompilerTime compilers = new CompilerTime();
    Loaded loaded = loaded(wish, 0, times.seconds(), compilers);
    say(
        ("%s: ready %.2f s, first second %,.0f, steady %,.0f requests/s: %.2f; by second %s; "
                + "compilers %.1f of %.1f s of processor until ready, then by second %s")
            .formatted(
                wish.way().label(),
                loaded.ready(),
                loaded.firstSecond(),
                loaded.steady(),
                loaded.ratio(),
                loaded.taken().rates(),
                compilers.untilReady(),
                compilers.allUntilReady(),
                compilers.bySecond().stream().map("%.2f"::formatted).toList()));
    return loaded;
  }

  /** Measures full load of several starts. */
  List<Loaded> fulls(Starter.Wish wish, int starts) throws IOException, InterruptedException {
    List<Loaded> all = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      all.add(full(wish));
    }
    return all;
  }

  /** Looks at a server before its first load and after it, and before it ends. */
  interface Watch {
    /** Looks at nothing. */
    Watch NOTHING =
        new Watch() {
          @Override
          public void ready(Starter.Started server) {}

          @Override
          public void loaded(Starter.Started server) {}
        };

    /** Called when it is ready; what this takes is not measured. */
    void ready(Starter.Started server) throws IOException, InterruptedException;

    /** Called when all requests were answered, or given up. */
    void loaded(Starter.Started server) throws IOException, InterruptedException;
  }

  /** Measures an open loop from the moment of readiness. */
  Loaded loaded(Starter.Wish wish, double rate, int seconds)
      throws IOException, InterruptedException {
    return loaded(wish, rate, seconds, Watch.NOTHING);
  }

  /** The same, while somebody watches. */
  Loaded loaded(Starter.Wish wish, double rate, int seconds, Watch watch)
      throws IOException, InterruptedException {
    try (Starter.Started server = starter.start(wish)) {
      watch.ready(server);
      LoadPlan plan =
          LoadPlan.closed(List.of(server.port()), times.connections()).at(rate, 0, seconds);
      RunResult taken =
          new LoadRun(plan, new PositionsWorkload(POSITIONS, 0, 1))
              .keepingSeconds(seconds)
              .on(LOOPS)
              .run();
      if (!taken.errors().isEmpty()) {
        say("not answered as they should be: " + taken.errors());
      }
      watch.loaded(server);
      CpuGroup group = wish.group();
      double throttled = group == null ? 0 : group.throttledSeconds();
      return new Loaded(server.live(), server.ready(), taken, throttled);
    }
  }
}
