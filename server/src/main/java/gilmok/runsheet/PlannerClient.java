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
 * One process of planners, seen from the server. A thread of its own writes, so that a process that
 * does not read holds up nobody; {@link #read} belongs to whoever keeps it. Otherwise thread-safe.
 */
final class PlannerClient {
  /** So much later than it should be an answer is still waited for. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** What the way back may take of a budget, but never more than a tenth of it. */
  private static final long WAY_BACK_NANOS = 4_000_000L;

  /** A process that leaves so many frames unread does not read any more. */
  private static final int UNSENT_MAX = 256;

  private static final byte[] NO_MORE = {};

  private final Process process;
  private final Duration hangsAfter;
  private final BlockingQueue<byte[]> unsent = new LinkedBlockingQueue<>(UNSENT_MAX);
  private final Map<Long, Unanswered> underWay = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile boolean isOver;

  /** What was asked and is not answered yet, also when nobody waits for it any more. */
  private record Unanswered(CompletableFuture<Plan> answer, long untilNanos) {}

  private PlannerClient(Process process, Duration hangsAfter) {
    this.process = process;
    this.hangsAfter = hangsAfter;
  }

  /**
   * Starts one. What it writes to standard error stands beside what we write there.
   *
   * @param hangsAfter how overdue an answer has to be for the process to be ended; long, as one
   *     that does not get the processor, because phones want all of it, would not get it sooner
   *     after it was started anew
   */
  static PlannerClient start(List<String> command, Duration hangsAfter) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    // Nothing of ours is for it to know, and nothing of another JVM's fits it.
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

  /** Its process id. */
  long pid() {
    return process.pid();
  }

  /** Has it make a plan; see {@link Planners#plan}. */
  Plan plan(PlanProblem problem, long untilNanos) throws IOException, InterruptedException {
    if (underWay.values().stream().anyMatch(this::isOverdue)) {
      throw hangs();
    }
    long id = ids.incrementAndGet();
    CompletableFuture<Plan> answer = new CompletableFuture<>();
    underWay.put(id, new Unanswered(answer, untilNanos));
    // Looked at after that: who ends it tells all that are under way.
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

  /** Takes its answers until it ends. */
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
   * It has ended, or is to: whoever waits for it is told so. Returns when it is gone, or does not
   * go.
   *
   * @return its exit code; null when it had to be ended
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
      // Whoever reads from it will see.
    } catch (InterruptedException never) {
      Thread.currentThread().interrupt();
    }
  }
}
