package gilmok.http;

import gilmok.observe.Complaint;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a part's routes and its store: each request on a virtual thread, a bounded number
 * at once; over it, and when the store does not answer, 503. Thread-safe.
 */
public final class Asking {
  private static final long LOOK_NANOS = 2_000_000L;

  private final String part;
  private final int atWorkMax;
  private final Counter failures;
  private final Logger log;
  private final Complaint complaint;
  private final AtomicInteger atWork = new AtomicInteger();
  private volatile boolean stopping;

  /** Asks the store, and then says how to answer. */
  @FunctionalInterface
  public interface Work {
    /** The answer. On a virtual thread: it may block. */
    Answer run() throws IOException, InterruptedException;
  }

  /**
   * What the store is asked for.
   *
   * @param isRead whether it leaves room, half of all, for what is not
   * @param seconds how long it takes
   */
  public record Call(boolean isRead, Histogram seconds) {}

  /**
   * Nothing is under way.
   *
   * @param part the part's name, in metrics and in the log
   * @param failed what does not work when the store does not answer, for the operator
   * @param failures of the store
   */
  public Asking(String part, String failed, int atWorkMax, Counter failures) {
    this.part = part;
    this.atWorkMax = atWorkMax;
    this.failures = failures;
    log = System.getLogger("gilmok." + part);
    complaint = new Complaint("gilmok." + part, failed);
  }

  /** Shows how much is under way. */
  public void watch(Meters shown) {
    String name = "gilmok_" + part + "_at_work";
    shown.gauge(name, "Requests that ask the store.", atWork::get);
    shown.gauge(name + "_max", "The bound of " + name + ".", this::max);
  }

  private int max() {
    return atWorkMax;
  }

  /** Answers a request with what work comes to, or at once when there is no room for it. */
  public void ask(Exchange exchange, Call call, Work work) {
    if (stopping) {
      exchange.refuse(Refusal.STOPPING);
    } else if (!enter(call)) {
      exchange.refuse(Refusal.BUSY);
    } else {
      Thread.ofVirtual().name("gilmok-" + part).start(() -> answer(exchange, call, work));
    }
  }

  private boolean enter(Call call) {
    if (atWork.incrementAndGet() <= (call.isRead ? atWorkMax / 2 : atWorkMax)) {
      return true;
    }
    atWork.decrementAndGet();
    return false;
  }

  private void answer(Exchange exchange, Call call, Work work) {
    Answer answer = Answer.of(Refusal.BROKEN);
    long began = System.nanoTime();
    try {
      answer = work.run();
    } catch (IOException failed) {
      failures.increment();
      complaint.about(failed);
      answer = Answer.of(Refusal.BUSY);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      answer = Answer.of(Refusal.STOPPING);
    } catch (RuntimeException bug) {
      log.log(Level.ERROR, "a request about " + part + " failed", bug);
    } finally {
      call.seconds.record(System.nanoTime() - began);
      atWork.decrementAndGet();
    }
    answer.send(exchange);
  }

  /** Takes nothing new, and waits for what is under way. */
  public void drain(Duration patience) throws InterruptedException {
    stopping = true;
    long until = System.nanoTime() + patience.toNanos();
    while (atWork.get() > 0 && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
