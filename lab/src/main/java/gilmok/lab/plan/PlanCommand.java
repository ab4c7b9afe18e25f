package gilmok.lab.plan;

import gilmok.runsheet.plan.Budget;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.Planner;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab plan}: measures the planner alone, in this process: run sheets with known optima,
 * generated cases with many orders, and random search as the baseline.
 */
@Command(
    name = "plan",
    description = {
      "Measure the planner of run sheets: the cost of its plans, proofs, and time.",
      "",
      "Exit code: 1 if a plan was called the best, and a better one is known, else 0."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab plan --orders 10 --seeds 2 --budget 100          # seconds",
      "  gilmok lab plan --orders 25,50,100                          # ten minutes",
      "  gilmok lab plan --set tsppd --each 5 --runs 3 --check"
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int SEEDS_MAX = 100;
  private static final int WRONG = 1;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @Mixin private KnownCases known = new KnownCases();

  @Option(
      names = "--check",
      description =
          "Search every plan of a sheet of up to 12 orders, too, and hold the planner to the best.")
  private boolean checks;

  @Option(
      names = "--orders",
      split = ",",
      description = "Made-up cases of so many orders, such as 25,50,100.")
  private int[] sizes = {};

  @Option(
      names = "--seeds",
      defaultValue = "10",
      description = "Cases of each size (default: ${DEFAULT-VALUE}).")
  private int seeds;

  @Option(
      names = "--budget",
      split = ",",
      defaultValue = "1000",
      description = "Milliseconds for a made-up case (default: ${DEFAULT-VALUE}).")
  private long[] budgets = {};

  @Option(
      names = "--limit",
      defaultValue = "2000",
      description = "Milliseconds for one case of a file or set (default: ${DEFAULT-VALUE}).")
  private long limit;

  @Option(
      names = "--runs",
      defaultValue = "5",
      description = "Runs of a file or set (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--old",
      defaultValue = "0",
      description = "Seconds that the old way has (default: ${DEFAULT-VALUE}, none).")
  private double old;

  @Option(
      names = "--by-processor",
      description = "Count budgets in the planning thread's processor time, for a busy machine.")
  private boolean byProcessor;

  @Option(
      names = "--write",
      description = "Write all cases into this file, for other planners, and do no more.")
  private @Nullable Path write;

  @Option(
      names = "--beside",
      description = "A file of another planner's costs, with lines of a name and a cost.")
  private @Nullable Path beside;

  @Override
  public Integer call() throws IOException {
    List<Case> made = new ArrayList<>();
    for (int size : sizes) {
      for (int seed = 0; seed < Math.clamp(seeds, 1, SEEDS_MAX); seed++) {
        made.add(Case.random(size, seed));
      }
    }
    List<Case> published = known.read();
    if (write != null) {
      Files.write(write, Stream.concat(published.stream(), made.stream()).map(Case::line).toList());
      return 0;
    }
    boolean isRight = published.isEmpty() || known(published);
    if (!made.isEmpty()) {
      isRight &= made(made, beside == null ? Map.of() : costs(Files.readAllLines(beside)));
    }
    return isRight ? 0 : WRONG;
  }

  /** A plan, its duration, and the processor time of its thread. */
  private record Run(Plan plan, double millis, double processorMillis) {}

  private Run run(Case one, long budgetMillis) {
    long begun = System.nanoTime();
    long begunProcessor = THREADS.getCurrentThreadCpuTime();
    double whole = budgetMillis * 1e6;
    Budget budget =
        byProcessor
            ? () -> (THREADS.getCurrentThreadCpuTime() - begunProcessor) / whole
            : () -> (System.nanoTime() - begun) / whole;
    Plan plan = Planner.plan(one.problem(), budget, 1);
    return new Run(
        plan,
        (System.nanoTime() - begun) / 1e6,
        (THREADS.getCurrentThreadCpuTime() - begunProcessor) / 1e6);
  }

  /**
   * Plans every case once for each run, after two rounds that do not count.
   *
   * @return false if a plan was called the best, and a better one is known
   */
  private boolean known(List<Case> cases) {
    boolean isRight = true;
    Map<Integer, List<double[]>> sums = new TreeMap<>();
    for (int round = 0; round < 2; round++) {
      cases.forEach(one -> run(one, limit));
    }
    System.out.println("| case | orders | cost | optimum | proven | ms | of processor |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (Case one : cases) {
      double[] millis = new double[Math.clamp(runs, 1, 1000)];
      double[] processor = new double[millis.length];
      Plan plan = run(one, limit).plan;
      long optimum = optimum(one);
      boolean isBest = true;
      for (int i = 0; i < millis.length; i++) {
        Run run = run(one, limit);
        plan = run.plan;
        isBest &= plan.optimal() && (optimum == 0 || plan.cost() == optimum);
        isRight &= !plan.optimal() || optimum == 0 || plan.cost() == optimum;
        millis[i] = run.millis;
        processor[i] = run.processorMillis;
      }
      Arrays.sort(millis);
      Arrays.sort(processor);
      int middle = millis.length / 2;
      double random = old > 0 ? (double) RandomSearch.cost(one.problem(), old, 1) : 0;
      System.out.printf(
          "| %s | %d | %d | %s | %s | %.2f | %.2f |%n",
          one.name(),
          one.orders(),
          plan.cost(),
          optimum == 0 ? "not known" : optimum,
          plan.optimal(),
          millis[middle],
          processor[middle]);
      sums.computeIfAbsent(one.orders(), size -> new ArrayList<>())
          .add(
              new double[] {
                isBest ? 1 : 0,
                random / (optimum == 0 ? plan.cost() : optimum),
                millis[middle],
                processor[middle]
              });
    }
    System.out.println();
    System.out.println(
        "| orders | each run optimal and proven | ms: median, most | of processor | old way, cost"
            + " |");
    System.out.println("|---|---|---|---|---|");
    sums.forEach(PlanCommand::summary);
    return isRight;
  }

  /** The best cost, as the file or a search of every plan has it; 0 if nobody knows. */
  private long optimum(Case one) {
    boolean isSearched = checks && one.orders() <= ExactSearch.ORDERS_MAX;
    return one.optimal() == 0 && isSearched ? ExactSearch.cost(one.problem()) : one.optimal();
  }

  private static void summary(int orders, List<double[]> rows) {
    double[] millis = rows.stream().mapToDouble(row -> row[2]).sorted().toArray();
    double[] processor = rows.stream().mapToDouble(row -> row[3]).sorted().toArray();
    System.out.printf(
        "| %d | %.0f of %d | %.2f, %.2f | %.2f, %.2f | %.2f |%n",
        orders,
        rows.stream().mapToDouble(row -> row[0]).sum(),
        rows.size(),
        millis[millis.length / 2],
        millis[millis.length - 1],
        processor[millis.length / 2],
        processor[millis.length - 1],
        rows.stream().mapToDouble(row -> row[1]).average().orElse(0));
  }

  /** Plans made-up cases once for each budget; false as in {@link #known}. */
  private boolean made(List<Case> cases, Map<String, Long> others) {
    boolean isRight = true;
    run(cases.getFirst(), 2_000);
    run(cases.getLast(), 2_000);
    System.out.println();
    System.out.println(
        "| orders | ms | proven, median ms | mean cost | gap to bound | to the other's | old way"
            + " |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (int size : sizes) {
      List<Case> same = cases.stream().filter(one -> one.orders() == size).toList();
      for (long budget : budgets) {
        double cost = 0;
        double gap = 0;
        double ratio = 0;
        double random = 0;
        List<Double> proven = new ArrayList<>();
        for (Case one : same) {
          Run run = run(one, budget);
          Plan plan = run.plan;
          if (plan.optimal()) {
            proven.add(run.millis);
            long optimum = optimum(one);
            isRight &= optimum == 0 || plan.cost() == optimum;
          }
          cost += plan.cost();
          gap += 1 - (double) plan.bound() / plan.cost();
          ratio += (double) plan.cost() / others.getOrDefault(one.name(), Long.MAX_VALUE);
          random += old > 0 ? (double) RandomSearch.cost(one.problem(), old, 1) / plan.cost() : 0;
        }
        System.out.printf(
            "| %d | %d | %d of %d, %s | %.1f | %.1f %% | %.4f | %.2f |%n",
            size,
            budget,
            proven.size(),
            same.size(),
            middle(proven),
            cost / same.size(),
            100 * gap / same.size(),
            ratio / same.size(),
            random / same.size());
      }
    }
    return isRight;
  }

  private static String middle(List<Double> millis) {
    return millis.isEmpty()
        ? "none"
        : "%.0f".formatted(millis.stream().sorted().toList().get(millis.size() / 2));
  }

  private static Map<String, Long> costs(List<String> lines) {
    Map<String, Long> costs = new HashMap<>();
    for (String line : lines) {
      String[] cells = line.strip().split(" ");
      costs.put(cells[0], Long.parseLong(cells[1]));
    }
    return costs;
  }
}
