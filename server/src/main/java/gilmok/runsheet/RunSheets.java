package gilmok.runsheet;

import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.observe.Meters;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import gilmok.warmup.Drainable;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Run sheets as a part of the server: the routes, the planners, their start and their end.
 * Thread-safe, except that it is drained once, by the thread of the shutdown.
 */
public final class RunSheets implements Drainable, Warmable {
  private static final Logger LOG = System.getLogger("gilmok.runsheet");

  private final Planners planners;
  private final boolean isOwner;
  private final PlanService planning;
  private final RunSheetRoutes routes;

  /**
   * What it needs from the server.
   *
   * @param solver makes plans in this process, if the settings say so
   * @param command the command line of the planning process, which runs {@link
   *     PlannerProcess#serve}
   * @param threads makes threads with a low priority
   * @param riders null if the server does not know riders' positions or deliveries
   */
  public record Means(
      Meters meters,
      Offloads offloads,
      InstantSource clock,
      Solver solver,
      List<String> command,
      ThreadFactory threads,
      @Nullable Riders riders) {}

  private RunSheets(RunSheetConfig config, Means means, Planners planners, boolean isOwner) {
    RunSheetMeters meters = RunSheetMeters.of(means.meters);
    this.planners = planners;
    this.isOwner = isOwner;
    planning = new PlanService(config, planners, meters, means.offloads);
    planning.watch(means.meters);
    routes = new RunSheetRoutes(planning, meters, means.clock, means.riders);
  }

  /** Starts the planners, without waiting for them. */
  public static RunSheets start(RunSheetConfig config, Means means) {
    Planners planners =
        switch (config.process()) {
          case CHILD -> PlannerPool.start(means.command);
          case INSIDE -> new InProcessPlanners(means.solver, config.workers(), means.threads);
        };
    return new RunSheets(config, means, planners, true);
  }

  /** A second instance that uses the planners of this one. It must end before this one does. */
  public RunSheets beside(RunSheetConfig config, Means means) {
    return new RunSheets(config, means, planners, false);
  }

  /** The routes. */
  public List<Route> routes() {
    return routes.routes();
  }

  /**
   * Plans the best order of the stops of a tour that somebody made. It waits for its turn behind
   * requests for run sheets. Blocks.
   *
   * @param matrix the cost from node to node; node 0 is where the tour begins
   * @param orders for each order the nodes of its pickup and its drop-off
   * @param budget how long the planners may look, and how long it waits at most
   * @return null if its turn did not come
   * @throws IOException when planning failed
   */
  public @Nullable Plan tour(long[][] matrix, int[][] orders, Duration budget)
      throws IOException, InterruptedException {
    List<PlanOrder> all = new ArrayList<>();
    for (int i = 0; i < orders.length; i++) {
      all.add(new PlanOrder(Integer.toString(i), orders[i][0], orders[i][1]));
    }
    return switch (Review.of(new ProblemDraft(matrix, 0, null, all))) {
      case Review.Sound(PlanProblem problem) ->
          planning.plan(new PlanCaller(), problem, System.nanoTime() + budget.toNanos());
      case Review.Fault fault -> throw new IllegalArgumentException(fault.toString());
    };
  }

  @Override
  public String name() {
    return "run-sheets";
  }

  /** Waits for the planners and warms them up. */
  public void prepare() {
    try {
      PlannerWarmUp.run(planners);
    } catch (IOException failed) {
      LOG.log(
          Level.WARNING,
          "run sheets cannot be planned yet; they are answered 503 until they can: {0}",
          failed.getMessage());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Finishes requests in flight, and ends the planners if they are its own. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    planning.drain(patience);
    if (isOwner) {
      planners.end();
    }
  }
}
