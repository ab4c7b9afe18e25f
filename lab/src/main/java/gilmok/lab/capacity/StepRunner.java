package gilmok.lab.capacity;

import gilmok.lab.load.Acknowledging;
import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.Response;
import gilmok.lab.load.RunResult;
import gilmok.lab.load.Workload;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Sends a scenario to a target at a rate, and says what came of it. Not thread-safe; blocks. */
final class StepRunner implements AutoCloseable {
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private final CapacityTarget target;
  private final LoadScenario scenario;
  private final StepGoals goals;
  private final Means means;
  private final ResourceSampler sampler;
  private final Consumer<String> progress;
  private final List<LoadFlow> flows;
  private final EventLoopGroup loops;
  private final List<Long> readings = new ArrayList<>();

  /** Good answers of each flow so far, by the time of the answer. */
  private final List<LongAdder> answered;

  private long acknowledged;
  private int runs;

  /**
   * What the load has.
   *
   * @param connections to the server, of all flows together
   * @param threads its event loops
   */
  record Means(int connections, int threads) {}

  /**
   * How long a step lasts, in seconds, and whether refusals are no errors in it.
   *
   * @param warmup load at the same rate before
   * @param seconds the measured part
   * @param isOverload whether the server may refuse
   */
  record Span(double warmup, double seconds, boolean isOverload) {}

  StepRunner(
      CapacityTarget target,
      LoadScenario scenario,
      StepGoals goals,
      Means means,
      ResourceSampler sampler,
      Consumer<String> progress) {
    this.target = target;
    this.scenario = scenario;
    this.goals = goals;
    this.means = means;
    this.sampler = sampler;
    this.progress = progress;
    this.flows = scenario.flows(target.key());
    this.answered = flows.stream().map(_ -> new LongAdder()).toList();
    this.loops = LoadRun.loops(means.threads);
  }

  /** Asks as fast as it is answered, which shows the server's compiler what there is. */
  void warm(double seconds) throws IOException, InterruptedException {
    Ran _ = run(0, new Span(0, seconds, true));
  }

  /** A run's results, and the workloads that made it, by flow. */
  private record Ran(List<RunResult> results, List<List<Workload>> lanes) {}

  /**
   * Makes one step.
   *
   * @param units what is asked a second, in the scenario's unit
   */
  LoadStep step(String what, double units, Span span) throws IOException, InterruptedException {
    Ran ran = run(units / scenario.unitsEach(flows), span);
    LoadStep step = describe(what, ran);
    progress.accept(step.line(scenario.unit()));
    return step;
  }

  /** The records that the server acknowledged in all steps, those of the warm-up included. */
  long acknowledged() {
    return acknowledged;
  }

  /** What was seen in the measured part of the last step. */
  SampleSpan seen() {
    int count = readings.size();
    return sampler.between(
        readings.get(count - 2) - TimeUnit.SECONDS.toNanos(1),
        readings.get(count - 1) + TimeUnit.SECONDS.toNanos(1));
  }

  private Ran run(double rate, Span span) throws IOException, InterruptedException {
    String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-" + runs++;
    List<List<Workload>> all = new ArrayList<>();
    LoadRun load = null;
    List<LoadRun.Watch> watches = new ArrayList<>(List.of(this::noteTime));
    for (int number = 0; number < flows.size(); number++) {
      LoadFlow flow = flows.get(number);
      LongAdder good = answered.get(number);
      watches.add(good::sum);
      List<Workload> lanes = new ArrayList<>();
      for (int lane = 0; lane < means.threads; lane++) {
        lanes.add(flow.lanes().lane(lane, means.threads, run));
      }
      all.add(lanes);
      IntFunction<Workload> of = lane -> counted(lanes.get(lane), good, span.isOverload);
      LoadPlan plan = plan(flow, rate, span);
      load = load == null ? new LoadRun(plan, of) : load.beside(plan, of);
    }
    if (load == null) {
      throw new IllegalStateException("a scenario without flows");
    }
    List<RunResult> results = results(load, watches);
    Ran ran = new Ran(results, all);
    acknowledged += acknowledgedBy(ran);
    return ran;
  }

  private List<RunResult> results(LoadRun load, List<LoadRun.Watch> watches)
      throws IOException, InterruptedException {
    try {
      return load.on(loops)
          .ofServer(target.pid())
          .recording(sampler.latencies())
          .watching(watches)
          .runAll();
    } catch (IOException | UncheckedIOException failed) {
      target.requireAlive();
      throw failed;
    }
  }

  private LoadPlan plan(LoadFlow flow, double rate, Span span) {
    int connections = Math.max(means.threads, (int) Math.round(means.connections * flow.share()));
    return new LoadPlan(
        List.of(target.address()),
        connections,
        rate * flow.share(),
        Duration.ZERO,
        nanos(span.warmup),
        nanos(span.seconds),
        0,
        means.threads,
        1,
        DRAIN);
  }

  private static Duration nanos(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** Called at the begin and at the end of the measured part. */
  private double noteTime() {
    readings.add(System.nanoTime());
    return 0;
  }

  private LoadStep describe(String what, Ran ran) {
    StepTotals totals = new StepTotals();
    for (int i = 0; i < flows.size(); i++) {
      // The first watch is the clock.
      totals.add(
          flows.get(i),
          ran.results.get(i),
          ran.results.getFirst().watched().get(i + 1),
          flows.size() > 1);
    }
    return totals.step(
        what,
        ran.results.getFirst().used(),
        goals,
        acknowledgedBy(ran),
        MachineTimes.processors(target.pid()));
  }

  private static long acknowledgedBy(Ran ran) {
    return ran.lanes.stream()
        .flatMap(List::stream)
        .filter(Acknowledging.class::isInstance)
        .mapToLong(lane -> ((Acknowledging) lane).acknowledged())
        .sum();
  }

  private static Workload counted(Workload workload, LongAdder good, boolean isOverload) {
    return new Workload() {
      private final CountedExchange exchange = new CountedExchange(good, isOverload);

      @Override
      public LoadExchange next() {
        LoadExchange next = workload.next();
        // A workload of single requests is its own exchange, one that goes on has its own state.
        return next == workload
            ? exchange.of(next)
            : new CountedExchange(good, isOverload).of(next);
      }

      @Override
      public Response response() {
        return workload.response();
      }
    };
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
