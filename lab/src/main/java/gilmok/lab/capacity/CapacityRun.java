package gilmok.lab.capacity;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One search for a limit, from a server that is ready to a report: it warms the server up, finds
 * the highest rate, asks what ends it, holds the safe rate, and goes beyond. Not thread-safe;
 * blocks for minutes.
 */
final class CapacityRun {
  /** The safe rate, as a part of the highest: room for one node more, or a busy neighbour. */
  private static final double SAFE = 0.7;

  private static final double ABOVE = 1.12;
  private static final int AGAIN_MAX = 1;
  private static final double[] OVERLOADS = {1.5, 2};
  private static final double AFTER = 0.5;
  private static final double RECOVERY_SECONDS = 15;
  private static final double ROUGH = 0.4;
  private static final double FIFTH = 0.2;
  private static final double MOVED = 0.1;
  private static final double FEW_MILLIS = 1;
  private static final double FEW_MEGA = 16;
  private static final double STEP_WARMUP = 2;

  private final CapacityTarget target;
  private final LoadScenario scenario;
  private final StepGoals goals;
  private final Times times;
  private final StepRunner runner;
  private final ResourceSampler sampler;
  private final Consumer<String> progress;
  private final List<LoadStep> steps = new ArrayList<>();

  /**
   * How long everything takes, in seconds.
   *
   * @param warmup of the server, by load
   * @param step the measured part of a step
   * @param repeats of the highest rate
   * @param hold of the safe rate
   * @param first the units a second of the first step
   * @param most the units a second beyond which it does not search
   */
  record Times(double warmup, double step, int repeats, double hold, double first, double most) {}

  CapacityRun(
      CapacityTarget target,
      LoadScenario scenario,
      StepGoals goals,
      Times times,
      StepRunner runner,
      ResourceSampler sampler,
      Consumer<String> progress) {
    this.target = target;
    this.scenario = scenario;
    this.goals = goals;
    this.times = times;
    this.runner = runner;
    this.sampler = sampler;
    this.progress = progress;
  }

  /** The limit alone, as of a peer. */
  LimitSearch.Found limit() throws IOException, InterruptedException {
    progress.accept("warming " + target.name() + " for " + Math.round(times.warmup) + " s");
    runner.warm(times.warmup);
    return search(times.first);
  }

  private LimitSearch.Found search(double first) throws IOException, InterruptedException {
    return new LimitSearch(this::step, times.repeats).find(first, times.most);
  }

  /** All of it; the peers are left out. */
  CapacityReport run(Map<String, String> facts) throws IOException, InterruptedException {
    long began = System.nanoTime();
    scenario.prepare(target.client());
    LedgerLook before = LedgerLook.of(target);
    Limit limit = limitAndCause();
    LimitSearch.Found found = limit.found;
    double safe = Math.floor(SAFE * found.units());
    CapacityReport.Hold hold = found.units() == 0 ? noHold(found) : hold(safe);
    List<CapacityReport.Overload> overloads = overloads(found.units());
    return new CapacityReport(
        new CapacityReport.Environment(
            scenario.name(), scenario.unit(), scenario.data(), goals, facts),
        new CapacityReport.Limit(
            found.units(),
            found.above(),
            safe,
            found.repeats(),
            limit.cause,
            voidness(found, hold)),
        List.copyOf(steps),
        hold,
        overloads,
        account(before),
        List.of(),
        ResourceSeries.of(sampler.since(began)));
  }

  private LoadStep step(String what, double units, boolean isRough)
      throws IOException, InterruptedException {
    double seconds = isRough ? Math.max(2, ROUGH * times.step) : times.step;
    return add(runner.step(what, units, new StepRunner.Span(stepWarmup(), seconds, false)));
  }

  private LoadStep add(LoadStep step) {
    steps.add(step);
    return step;
  }

  /**
   * What was found, and a step a little above it that does not hold, in which what could be full
   * was looked at.
   */
  private record Limit(LimitSearch.Found found, List<Suspects.Suspect> cause) {}

  /** Searches; again from higher up, if a rate above what was found holds after all. */
  private Limit limitAndCause() throws IOException, InterruptedException {
    LimitSearch.Found found = limit();
    for (int i = 0; ; i++) {
      double rate =
          found.units() == 0 ? found.above() : Math.max(found.above(), ABOVE * found.units());
      LoadStep above =
          add(runner.step("above", rate, new StepRunner.Span(stepWarmup(), times.step, false)));
      if (!above.holds() || i == AGAIN_MAX || rate > times.most) {
        List<Suspects.Suspect> all = Suspects.of(runner.seen(), above, goals);
        progress.accept("what ends it is " + all.getFirst().line());
        return new Limit(found, all);
      }
      found = search(rate);
    }
  }

  private CapacityReport.Hold hold(double units) throws IOException, InterruptedException {
    progress.accept(
        String.format(
            Locale.ROOT, "holding %,.0f %s/s for %.0f s", units, scenario.unit(), times.hold));
    LoadStep step =
        add(
            runner.step(
                "hold", Math.max(1, units), new StepRunner.Span(stepWarmup(), times.hold, false)));
    List<ResourceSample> seen = runner.seen().samples();
    int fifth = Math.max(1, (int) (FIFTH * seen.size()));
    Map<String, Double> first = window(seen.subList(0, Math.min(fifth, seen.size())));
    Map<String, Double> last = window(seen.subList(Math.max(0, seen.size() - fifth), seen.size()));
    return new CapacityReport.Hold(
        step, times.hold / 60, first, last, heapSlope(seen), moved(first, last));
  }

  /** Without a rate there is nothing to hold. */
  private CapacityReport.Hold noHold(LimitSearch.Found found) {
    return new CapacityReport.Hold(
        steps.getLast(), 0, Map.of(), Map.of(), 0, List.of(nothingHeld(found)));
  }

  private String nothingHeld(LimitSearch.Found found) {
    return String.format(
        Locale.ROOT, "no rate held, down to %,.0f %s/s", found.above(), scenario.unit());
  }

  /** What a part of the hold looked like: medians of its seconds. */
  private static Map<String, Double> window(List<ResourceSample> seen) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("answers/s", median(seen, sample -> sample.latencies().getTotalCount()));
    figures.put(
        "p99 ms", median(seen, sample -> sample.latencies().getValueAtPercentile(99) / 1e6));
    figures.put("heap after gc MB", median(seen, CapacityRun::heap));
    return figures;
  }

  private static double heap(ResourceSample sample) {
    double bytes = sample.metrics().sum("gilmok_heap_after_gc_bytes", "");
    return Double.isNaN(bytes) ? 0 : bytes / 1e6;
  }

  private static double median(
      List<ResourceSample> seen, java.util.function.ToDoubleFunction<ResourceSample> of) {
    return CapacityReport.Range.of(seen.stream().mapToDouble(of).toArray()).median();
  }

  /** By least squares, in MB a minute. */
  private static double heapSlope(List<ResourceSample> seen) {
    double[] minutes =
        seen.stream()
            .mapToDouble(sample -> (sample.nanos() - seen.getFirst().nanos()) / 60e9)
            .toArray();
    double[] heaps = seen.stream().mapToDouble(CapacityRun::heap).toArray();
    double meanX = java.util.Arrays.stream(minutes).average().orElse(0);
    double meanY = java.util.Arrays.stream(heaps).average().orElse(0);
    double over = 0;
    double under = 0;
    for (int i = 0; i < minutes.length; i++) {
      over += (minutes[i] - meanX) * (heaps[i] - meanY);
      under += (minutes[i] - meanX) * (minutes[i] - meanX);
    }
    return under > 0 ? over / under : 0;
  }

  private static List<String> moved(Map<String, Double> first, Map<String, Double> last) {
    List<String> moved = new ArrayList<>();
    first.forEach(
        (name, was) -> {
          double is = last.getOrDefault(name, 0.0);
          boolean isRate = name.equals("answers/s");
          double few = isRate ? 0 : name.startsWith("p99") ? FEW_MILLIS : FEW_MEGA;
          boolean isWorse = isRate ? is < (1 - MOVED) * was : is > (1 + MOVED) * was;
          if (isWorse && Math.abs(is - was) > few) {
            moved.add(String.format(Locale.ROOT, "%s: %,.1f, at first %,.1f", name, is, was));
          }
        });
    return moved;
  }

  private List<CapacityReport.Overload> overloads(double units)
      throws IOException, InterruptedException {
    List<CapacityReport.Overload> all = new ArrayList<>();
    if (units == 0) {
      return all;
    }
    for (double factor : OVERLOADS) {
      LoadStep step;
      HealthWatch.Health health;
      try (HealthWatch watch = new HealthWatch(target.url())) {
        step =
            add(
                runner.step(
                    "overload",
                    factor * units,
                    new StepRunner.Span(stepWarmup(), times.step, true)));
        health = watch.health();
      }
      all.add(
          new CapacityReport.Overload(
              factor, step, step.rates().units() / units, health, recovery(units)));
      progress.accept("health while overloaded: " + health.text());
    }
    return all;
  }

  /** Seconds from the end of an overload until a second kept the p99; negative if none did. */
  private double recovery(double units) throws IOException, InterruptedException {
    long began = System.nanoTime();
    LoadStep _ =
        add(
            runner.step(
                "recovery", AFTER * units, new StepRunner.Span(0, recoverySeconds(), true)));
    return sampler.since(began).samples().stream()
        .filter(sample -> sample.latencies().getTotalCount() > 0)
        .filter(sample -> sample.latencies().getValueAtPercentile(99) / 1e6 <= goals.p99Millis())
        .mapToDouble(sample -> (sample.nanos() - began) / 1e9)
        .findFirst()
        .orElse(-1);
  }

  /** Short steps are for trying the command. */
  private double recoverySeconds() {
    return Math.min(RECOVERY_SECONDS, 3 * times.step);
  }

  private double stepWarmup() {
    return Math.min(STEP_WARMUP, times.step / 2);
  }

  private String voidness(LimitSearch.Found found, CapacityReport.Hold hold) {
    if (found.units() == 0) {
      return nothingHeld(found);
    }
    return hold.step().voidness();
  }

  private CapacityReport.Account account(LedgerLook before)
      throws IOException, InterruptedException {
    long acknowledged = runner.acknowledged();
    long unanswered =
        steps.stream()
            .flatMap(step -> step.errors().entrySet().stream())
            .filter(error -> error.getKey().endsWith("unanswered"))
            .mapToLong(Map.Entry::getValue)
            .sum();
    LedgerLook after = LedgerLook.after(target, before.stored() + acknowledged);
    return new CapacityReport.Account(
        acknowledged, after.stored() - before.stored(), unanswered, after.residue());
  }
}
