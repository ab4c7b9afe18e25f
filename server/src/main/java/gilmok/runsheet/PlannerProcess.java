package gilmok.runsheet;

import gilmok.runsheet.plan.PlanProblem;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * The main loop of the process of planners: it reads frames, makes plans and writes frames. It ends
 * when its input ends, which is when the server ends.
 */
public final class PlannerProcess {
  private final Solver solver;
  private final OutputStream out;
  private final ExecutorService threads;
  private final Map<Long, Deadline> underWay = new ConcurrentHashMap<>();

  private PlannerProcess(Solver solver, OutputStream out, int workers, ThreadFactory factory) {
    this.solver = solver;
    this.out = out;
    threads = Executors.newFixedThreadPool(workers, factory);
  }

  /**
   * Serves until the input ends, on the calling thread and on threads of the factory.
   *
   * @param workers how many plans are made at once
   * @throws IOException when the input is malformed
   */
  public static void serve(
      Solver solver, InputStream in, OutputStream out, int workers, ThreadFactory factory)
      throws IOException {
    PlannerProcess process = new PlannerProcess(solver, out, workers, factory);
    try {
      process.read(new DataInputStream(in));
    } finally {
      process.threads.shutdownNow();
    }
  }

  private void read(DataInputStream in) throws IOException {
    for (PlannerFrame frame = PlannerFrame.read(in); frame != null; frame = PlannerFrame.read(in)) {
      if (frame.kind() == PlannerFrame.CANCEL) {
        Deadline deadline = underWay.get(frame.id());
        if (deadline != null) {
          deadline.end();
        }
      } else {
        take(frame);
      }
    }
  }

  private void take(PlannerFrame frame) throws IOException {
    long id = frame.id();
    Deadline deadline = new Deadline(frame.body().getLong());
    PlanProblem problem = ProblemCodec.read(frame.body());
    underWay.put(id, deadline);
    threads.execute(() -> plan(id, problem, deadline));
  }

  /** Makes a plan and sends it. Any failure is sent too, so that no caller waits in vain. */
  private void plan(long id, PlanProblem problem, Deadline deadline) {
    byte[] answer;
    try {
      answer = PlannerFrame.done(id, solver.plan(problem, deadline));
    } catch (RuntimeException | StackOverflowError bug) {
      System.getLogger("gilmok.runsheet").log(System.Logger.Level.ERROR, "planning failed", bug);
      answer = PlannerFrame.failed(id, bug.toString());
    } finally {
      underWay.remove(id);
    }
    send(answer);
  }

  private synchronized void send(byte[] answer) {
    try {
      PlannerFrame.write(answer, out);
    } catch (IOException gone) {
      // The server is gone; this process ends when it next reads.
    }
  }
}
