package gilmok.deliveries;

import gilmok.deliveries.DeliveryMeters.Call;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between the routes and the store: each request on a virtual thread, a bounded number at
 * once; over it, and when the store does not answer, 503. Thread-safe.
 */
final class Asking {
  private static final Logger LOG = System.getLogger("gilmok.deliveries");
  private static final long LOOK_NANOS = 2_000_000L;

  private final int atWorkMax;
  private final DeliveryMeters meters;
  private final AtomicInteger atWork = new AtomicInteger();
  private final Complaint complaint = new Complaint("deliveries cannot be kept or looked up");
  private volatile boolean stopping;

  /** Asks the store, and then says how to answer. */
  interface Work {
    Answer run() throws IOException, InterruptedException;
  }

  Asking(int atWorkMax, DeliveryMeters meters) {
    this.atWorkMax = atWorkMax;
    this.meters = meters;
  }

  /** Shows how much is under way. */
  void watch(Meters shown) {
    shown.gauge("gilmok_deliveries_at_work", "Requests that ask the store.", atWork::get);
    shown.gauge(
        "gilmok_deliveries_at_work_max", "The bound of gilmok_deliveries_at_work.", this::max);
  }

  private int max() {
    return atWorkMax;
  }

  /** Answers a request with what work comes to, or at once when there is no room for it. */
  void ask(Exchange exchange, Call call, Work work) {
    if (stopping) {
      exchange.refuse(Refusal.STOPPING);
    } else if (!enter(call)) {
      exchange.refuse(Refusal.BUSY);
    } else {
      Thread.ofVirtual().name("gilmok-deliveries").start(() -> answer(exchange, call, work));
    }
  }

  /** Reads must leave room for what moves deliveries. */
  private boolean enter(Call call) {
    boolean isRead = call == Call.FIND || call == Call.LIST;
    if (atWork.incrementAndGet() <= (isRead ? atWorkMax / 2 : atWorkMax)) {
      return true;
    }
    atWork.decrementAndGet();
    return false;
  }

  private void answer(Exchange exchange, Call call, Work work) {
    Answer answer = new Answer.Plain(Refusal.BROKEN);
    long began = System.nanoTime();
    try {
      answer = work.run();
    } catch (IOException failed) {
      meters.failed();
      complaint.about(failed);
      answer = new Answer.Plain(Refusal.BUSY);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      answer = new Answer.Plain(Refusal.STOPPING);
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, "a request about deliveries failed", bug);
    } finally {
      meters.called(call, System.nanoTime() - began);
      atWork.decrementAndGet();
    }
    answer.send(exchange);
  }

  /** Takes nothing new, and waits for what is under way. */
  void drain(Duration patience) throws InterruptedException {
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
