package gilmok.lab.plan;

import gilmok.runsheet.plan.Budget;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.Planner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab plan}: the planner alone, in this process: run sheets with known optima, made-up cases
 * of many orders, and the old way beside them.
 */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = "What the planner of run sheets finds, proves and takes.")
public final class PlanCommand implements Callable<Integer> {
  private static final int SEEDS_MAX = 100;

  @Option(names = "--file", description = "run sheets with known optima, one a line")
  private @Nullable Path file;

  @Option(
      names = "--orders",
      split = ",",
      description = "made-up cases of so many orders, e.g. 25,50,100")
  private int[] sizes = {};

  @Option(names = "--seeds", defaultValue = "10", description = "of each size: ${DEFAULT-VALUE}")
  private int seeds;

  @Option(
      names = "--budget",
      split = ",",
      defaultValue = "1000",
      description = "ms for a made-up case: ${DEFAULT-VALUE}")
  private long[] budgets = {};

  @Option(names = "--limit", defaultValue = "2000", description = "ms for one of the file")
  private long limit;

  @Option(names = "--runs", defaultValue = "5", description = "of the file: ${DEFAULT-VALUE}")
  private int runs;

  @Option(names = "--old", defaultValue = "0", description = "seconds the old way has; 0: none")
  private double old;

  @Option(names = "--write", description = "writes the made-up cases there, and does no more")
  private @Nullable Path write;

  @Option(names = "--beside", description = "costs of another's, lines of: name cost")
  private @Nullable Path beside;

  @Override
  public Integer call() throws IOException {
    List<Case> made = new ArrayList<>();
    for (int size : sizes) {
      for (int seed = 0; seed < Math.clamp(seeds, 1, SEEDS_MAX); seed++) {
        made.add(Case.random(size, seed));
      }
    }
    if (write != null) {
      Files.write(write, made.stream().map(Case::line).toList());
      return 0;
    }
    if (file != null) {
      known(Files.readAllLines(file).stream().map(Case::read).toList());
    }
    if (!made.isEmpty()) {
      made(made, beside == null ? Map.of() : costs(Files.readAllLines(beside)));
    }
    return 0;
  }

  /** Plans with a budget of wall time, and says how long it took. */
  private record Run(Plan plan, double millis) {
    static Run of(Case one, long budgetMillis) {
      long begun = System.nanoTime();
      double whole = budgetMillis * 1e6;
      Budget budget = () -> (System.nanoTime() - begun) / whole;
      Plan plan = Planner.plan(one.problem(), budget, 1);
      return new Run(plan, (System.nanoTime() - begun) / 1e6);
    }
  }

  /** Every case as often as there are runs, after two rounds that do not count. */
  private void known(List<Case> cases) {
    Map<Integer, List<double[]>> sums = new TreeMap<>();
    for (int round = 0; round < 2; round++) {
      cases.forEach(one -> Run.of(one, limit));
    }
    System.out.println("| case | orders | cost | optimum | proven | ms, median |");
    System.out.println("|---|---|---|---|---|---|");
    for (Case one : cases) {
      double[] millis = new double[Math.clamp(runs, 1, 1000)];
      Run run = Run.of(one, limit);
      for (int i = 0; i < millis.length; i++) {
        run = Run.of(one, limit);
        millis[i] = run.millis;
      }
      Arrays.sort(millis);
      double median = millis[millis.length / 2];
      Plan plan = run.plan;
      double random = old > 0 ? (double) RandomSearch.cost(one.problem(), old, 1) : 0;
      System.out.printf(
          "| %s | %d | %d | %d | %s | %.2f |%n",
          one.name(), one.orders(), plan.cost(), one.optimal(), plan.optimal(), median);
      boolean isBest = plan.cost() == one.optimal() && plan.optimal();
      sums.computeIfAbsent(one.orders(), size -> new ArrayList<>())
          .add(new double[] {median, isBest ? 1 : 0, random / one.optimal()});
    }
    System.out.println();
    System.out.println("| orders | optimal and proven | ms, median | ms, most | old way, cost |");
    System.out.println("|---|---|---|---|---|");
    sums.forEach(
        (orders, rows) -> {
          double[] millis = rows.stream().mapToDouble(row -> row[0]).sorted().toArray();
          System.out.printf(
              "| %d | %.0f of %d | %.2f | %.2f | %.2f |%n",
              orders,
              rows.stream().mapToDouble(row -> row[1]).sum(),
              rows.size(),
              millis[millis.length / 2],
              millis[millis.length - 1],
              rows.stream().mapToDouble(row -> row[2]).average().orElse(0));
        });
  }

  private void made(List<Case> cases, Map<String, Long> others) {
    Run.of(cases.getFirst(), 2_000);
    Run.of(cases.getLast(), 2_000);
    System.out.println();
    System.out.println("| orders | ms | mean cost | gap to bound | to the other's | old way |");
    System.out.println("|---|---|---|---|---|---|");
    for (int size : sizes) {
      List<Case> same = cases.stream().filter(one -> one.orders() == size).toList();
      for (long budget : budgets) {
        double cost = 0;
        double gap = 0;
        double ratio = 0;
        double random = 0;
        for (Case one : same) {
          Plan plan = Run.of(one, budget).plan;
          cost += plan.cost();
          gap += 1 - (double) plan.bound() / plan.cost();
          ratio += (double) plan.cost() / others.getOrDefault(one.name(), Long.MAX_VALUE);
          random += old > 0 ? (double) RandomSearch.cost(one.problem(), old, 1) / plan.cost() : 0;
        }
        System.out.printf(
            "| %d | %d | %.1f | %.1f %% | %.4f | %.2f |%n",
            size,
            budget,
            cost / same.size(),
            100 * gap / same.size(),
            ratio / same.size(),
            random / same.size());
      }
    }
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
