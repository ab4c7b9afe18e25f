package gilmok.lab.load;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Load on a server of this machine, from this very process, seen second by second: for what a
 * server does when it has just started. One that has run before in this process is itself warm. No
 * state.
 */
public final class LoadBySecond {
  private static final int RIDERS = 10_000;
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private static final int THREADS = 1;

  /**
   * Kept from run to run: to end them makes the compiler throw away code of the load's own that the
   * next run's first second needs.
   */
  private static final EventLoopGroup LOOPS = LoadRun.loops(THREADS);

  private LoadBySecond() {}

  /**
   * What to do: positions, one a request, each another.
   *
   * @param key the API key
   * @param rate requests a second; 0: as fast as they are answered
   */
  public record Plan(int port, String key, int connections, double rate, int seconds) {}

  /**
   * What came of it.
   *
   * @param seconds the latencies of each, in nanoseconds; in an open loop by when a request was due
   * @param errors what went wrong, by kind; empty when all was well
   */
  public record Taken(List<Histogram> seconds, Map<String, Long> errors) {
    public Taken {
      seconds = List.copyOf(seconds);
      errors = Map.copyOf(errors);
    }

    /** Answers in each second. */
    public List<Long> rates() {
      return seconds.stream().map(Histogram::getTotalCount).toList();
    }

    /** The p99 of the seconds from one to before another, in milliseconds. */
    public double p99(int from, int to) {
      Histogram sum = new Histogram(seconds.getFirst());
      sum.reset();
      seconds.subList(from, Math.min(to, seconds.size())).forEach(sum::add);
      return sum.getValueAtPercentile(99) / 1e6;
    }
  }

  /** Runs it to its end; blocks. */
  public static Taken run(Plan plan) throws IOException, InterruptedException {
    LoadPlan load =
        new LoadPlan(
            "127.0.0.1",
            plan.port,
            "/v1/traces",
            plan.key,
            plan.connections,
            plan.rate,
            Duration.ZERO,
            Duration.ofSeconds(plan.seconds),
            1,
            RIDERS,
            1,
            1,
            false,
            DRAIN);
    LoadRun run = new LoadRun(load, null, line -> {}).keepingSeconds(plan.seconds);
    LoadReport report = run.run(LOOPS);
    List<Histogram> seconds = new ArrayList<>(run.bySecond().getFirst());
    for (List<Histogram> lane : run.bySecond().subList(1, run.bySecond().size())) {
      for (int i = 0; i < seconds.size(); i++) {
        seconds.get(i).add(lane.get(i));
      }
    }
    return new Taken(seconds, report.errorKinds());
  }
}
