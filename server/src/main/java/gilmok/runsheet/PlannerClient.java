package gilmok.runsheet;

import gilmok.background.BackgroundThread;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The server's connection to one process of planners. Frames are written by a thread of its own, so
 * that a process which does not read blocks no caller. {@link #read} is called by one thread, the
 * owner's; otherwise thread-safe.
 */
final class PlannerClient {
  /** How long after its deadline an answer is still awaited. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /**
   * The part of a budget reserved for sending the plan back; never more than a tenth of the budget.
   */
  private static final long WAY_BACK_NANOS = 4_000_000L;

  /** With this many unread frames the process counts as hung. */
  private static final int UNSENT_MAX = 256;

  private static final byte[] NO_MORE = {};

  private final Process process;
  private final Duration hangsAfter;
  private final BlockingQueue<byte[]> unsent = new LinkedBlockingQueue<>(UNSENT_MAX);
  private final Map<Long, Unanswered> underWay = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile boolean isOver;

  /** A request without an answer; it stays here even when its caller no longer waits. */
  private record Unanswered(CompletableFuture<Plan> answer, long untilNanos) {}

  private PlannerClient(Process process, Duration hangsAfter) {
    this.process = process;
    this.hangsAfter = hangsAfter;
  }

  /**
   * Starts a process. Its standard error is this process' standard error.
   *
   * @param hangsAfter how overdue an answer must be before the process is killed. It should be
   *     long: a process that gets no processor time because the collector needs all of it would get
   *     it no sooner after a restart
   * @throws IOException when the process cannot be started
   */
  static PlannerClient start(List<String> command, Duration hangsAfter) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    // The child must not inherit this server's secrets, nor options that were meant for another
    // JVM.
    builder
        .environment()
        .keySet()
        .removeIf(
            name ->
                name.startsWith("GILMOK_")
                    || name.equals("JAVA_TOOL_OPTIONS")
                    || name.equals("JDK_JAVA_OPTIONS"));
    PlannerClient client = new PlannerClient(builder.start(), hangsAfter);
    BackgroundThread.startDaemon("run-sheets-to-child", client::write);
    return client;
  }

  /** The process id. */
  long pid() {
    return process.pid();
  }

  /** Sends a problem to the process and waits for the plan; see {@link Planners#plan}. */
  Plan plan(PlanProblem problem, long untilNanos) throws IOException, InterruptedException {
    if (underWay.values().stream().anyMatch(this::isOverdue)) {
      throw hangs();
    }
    long id = ids.incrementAndGet();
    CompletableFuture<Plan> answer = new CompletableFuture<>();
    underWay.put(id, new Unanswered(answer, untilNanos));
    // Checked after the put: end() fails all entries that are in the map when it runs.
    if (isOver) {
      throw new PlannerGone("the process of planners has ended");
    }
    long left = Math.max(0, untilNanos - System.nanoTime());
    long toPlan = left - Math.min(left / 10, WAY_BACK_NANOS);
    if (!unsent.offer(PlannerFrame.plan(id, toPlan, problem))) {
      throw hangs();
    }
    try {
      return answer.get(left + GRACE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof PlannerGone gone
          ? gone
          : new IOException(String.valueOf(failed.getCause()), failed);
    } catch (TimeoutException late) {
      boolean _ = unsent.offer(PlannerFrame.cancel(id));
      throw new IOException("the process of planners did not answer in time");
    } catch (InterruptedException gone) {
      boolean _ = unsent.offer(PlannerFrame.cancel(id));
      throw gone;
    }
  }

  private boolean isOverdue(Unanswered asked) {
    return System.nanoTime() - asked.untilNanos > hangsAfter.toNanos();
  }

  private IOException hangs() {
    process.destroyForcibly();
    return new IOException("the process of planners does not answer, and was ended");
  }

  /**
   * Reads the process' answers until its output ends.
   *
   * @throws IOException when an answer is malformed or belongs to no request
   */
  void read() throws IOException {
    DataInputStream in = new DataInputStream(process.getInputStream());
    for (PlannerFrame frame = PlannerFrame.read(in); frame != null; frame = PlannerFrame.read(in)) {
      Unanswered asked = underWay.remove(frame.id());
      if (asked == null) {
        throw new IOException("it answered what it was not asked");
      }
      if (frame.kind() == PlannerFrame.DONE) {
        asked.answer().complete(PlanCodec.read(frame.body()));
      } else {
        asked.answer().completeExceptionally(new IOException(frame.text()));
      }
    }
  }

  /**
   * Ends the process and fails all waiting requests. Returns when the process is gone, or still
   * running after a kill and a short wait.
   *
   * @return its exit code; null if it had to be killed
   */
  @Nullable Integer end() throws InterruptedException {
    isOver = true;
    boolean _ = unsent.offer(NO_MORE);
    for (Unanswered asked : underWay.values()) {
      asked.answer().completeExceptionally(new PlannerGone("the process of planners ended"));
    }
    if (process.waitFor(2, TimeUnit.SECONDS)) {
      return process.exitValue();
    }
    process.destroyForcibly();
    boolean _ = process.waitFor(2, TimeUnit.SECONDS);
    return null;
  }

  private void write() {
    try (OutputStream out = process.getOutputStream()) {
      for (byte[] frame = unsent.take(); frame.length > 0; frame = unsent.take()) {
        PlannerFrame.write(frame, out);
      }
    } catch (IOException gone) {
      // The thread that reads from the process notices its end.
    } catch (InterruptedException never) {
      Thread.currentThread().interrupt();
    }
  }
}
