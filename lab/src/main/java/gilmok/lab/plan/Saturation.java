package gilmok.lab.plan;

import gilmok.lab.LabClient;
import gilmok.lab.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Saturates the planners: callers that request one plan after the other, each taking its whole
 * budget of a second. Meanwhile another thread measures the server's health check. Runs until it is
 * closed.
 */
final class Saturation implements AutoCloseable {
  private static final int ORDERS = 40;
  private static final long BUDGET_MILLIS = 1_000;
  private static final long LOOK_MILLIS = 50;

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger plans = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicLong healthNanosMax = new AtomicLong();

  private Saturation() {}

  static Saturation begin(Subject server, int callers) {
    Saturation saturation = new Saturation();
    for (int i = 0; i < callers; i++) {
      Case one = Case.random(ORDERS, i);
      saturation.threads.add(Thread.ofVirtual().start(() -> saturation.ask(server, one)));
    }
    saturation.threads.add(Thread.ofVirtual().start(() -> saturation.look(server)));
    return saturation;
  }

  private void ask(Subject server, Case one) {
    try (RunSheetClient caller = new RunSheetClient(server)) {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          caller.plan(one, BUDGET_MILLIS);
          plans.incrementAndGet();
        } catch (IOException busy) {
          refused.incrementAndGet();
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Subject server) {
    try (LabClient client = new LabClient(server)) {
      client.get("/health/live"); // opens the connection
      while (!Thread.currentThread().isInterrupted()) {
        long began = System.nanoTime();
        client.get("/health/live");
        healthNanosMax.accumulateAndGet(System.nanoTime() - began, Math::max);
        looks.incrementAndGet();
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (IOException failed) {
      healthNanosMax.set(Long.MAX_VALUE);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  /** The slowest health check so far, in milliseconds. */
  double healthMillisMax() {
    return healthNanosMax.get() / 1e6;
  }

  /** A summary of the plans made. */
  String summary() {
    return String.format(
        Locale.ROOT,
        "%d plans, %d refused; %d health answers, the slowest %.1f ms",
        plans.get(),
        refused.get(),
        looks.get(),
        healthMillisMax());
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
