package gilmok.runsheet;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/**
 * Makes plans on threads of this process. There must be no more concurrent callers than threads.
 */
final class InProcessPlanners implements Planners {
  private final Solver solver;
  private final ExecutorService threads;

  /**
   * @param workers how many plans are made at once
   * @param factory makes their threads, of a low priority
   */
  InProcessPlanners(Solver solver, int workers, ThreadFactory factory) {
    this.solver = solver;
    threads = Executors.newFixedThreadPool(workers, factory);
  }

  @Override
  public Plan plan(PlanProblem problem, long untilNanos) throws IOException, InterruptedException {
    Deadline deadline = new Deadline(untilNanos - System.nanoTime());
    try {
      Future<Plan> plan = threads.submit(() -> solver.plan(problem, deadline));
      return plan.get();
    } catch (ExecutionException bug) {
      throw new IOException("planning failed: " + bug.getCause(), bug.getCause());
    } catch (RejectedExecutionException stopping) {
      throw new IOException("planning has ended", stopping);
    } catch (InterruptedException gone) {
      deadline.end();
      throw gone;
    }
  }

  @Override
  public void end() {
    threads.shutdownNow();
  }
}
