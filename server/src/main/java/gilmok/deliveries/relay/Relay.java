package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.Partner;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells partners of their deliveries, for the shards that this node has. Thread-safe.
 *
 * <p>A thread of its own goes round; each call of a partner is on a virtual thread. It asks the
 * outbox each {@code relay.poll-interval}, and at once when it is told that something {@link
 * #changed}.
 */
public final class Relay implements Drainable {
  private static final System.Logger LOG = System.getLogger("gilmok.relay");

  /** The least time between two rounds, so that each finds more than one thing to do. */
  private static final long PACE_NANOS = 50_000_000L;

  /** How long what was interrupted may take to end. */
  private static final Duration INTERRUPTED_MAX = Duration.ofSeconds(1);

  private static final long PAUSE_NANOS = 1_000_000_000L;

  private final RelayConfig config;
  private final Outbox outbox;
  private final AddressGuard guard;
  private final HttpSender sender;
  private final Partners partners;
  private final Leases leases;
  private final Lines lines;
  private final Teller teller;
  private final Rounds rounds;
  private final RelayMeter meter;
  private final InstantSource clock;
  private final Set<Thread> workers = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean stopping;
  private boolean isFailing;

  /** A relay that is not yet started. */
  public Relay(RelayContext context) {
    config = context.config();
    outbox = context.outbox();
    clock = context.clock();
    guard = new AddressGuard(config.allowPrivateNetworks());
    sender = HttpSender.of(config, guard);
    partners = new Partners(context.partners(), context.isShared(), clock);
    leases = new Leases(context.partners(), context.node(), config.lease(), clock);
    lines = new Lines(config);
    meter = new RelayMeter(context.meters());
    teller = new Teller(context, partners, leases, sender, guard, meter);
    rounds = new Rounds(context, partners, leases, lines, teller, this::work, meter);
    meter.watch(lines, leases, partners);
    thread = Thread.ofVirtual().name("gilmok-relay").unstarted(this::run);
    rounds.onChange(() -> LockSupport.unpark(thread));
  }

  /** Begins to tell. */
  public void start() {
    thread.start();
  }

  /**
   * A delivery has changed, so that it is told without delay. A hint that costs next to nothing.
   */
  public void changed(Delivery delivery) {
    rounds.changed(delivery);
  }

  /** Whether a shard is this node's now, so that nobody else tells its deliveries. */
  public boolean holds(int shard) {
    return leases.holds(shard, clock.millis());
  }

  @Override
  public String name() {
    return "relay";
  }

  /** Begins nothing new, lets calls end, gives the shards back. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    stopping = true;
    teller.stop();
    LockSupport.unpark(thread);
    // A relay that was never started has nothing to wait for.
    if (thread.getState() != Thread.State.NEW) {
      end(thread, until);
    }
    for (Thread worker : workers) {
      end(worker, until);
    }
    sender.close();
    try {
      leases.releaseAll();
    } catch (IOException failed) {
      // They end by themselves.
      meter.storeFailed();
    }
  }

  /** Waits until a thread has ended by itself, or because it was told to. */
  private static void end(Thread thread, long untilNanos) throws InterruptedException {
    if (!thread.join(Duration.ofNanos(Math.max(1, untilNanos - System.nanoTime())))) {
      thread.interrupt();
      var _ = thread.join(INTERRUPTED_MAX);
    }
  }

  /** Sends one telling once more, now and outside of the order. Blocks. */
  Outcome redeliver(Partner partner, Delivery delivery, DeliveryEvent event)
      throws InterruptedException {
    return teller.send(partner, teller.webhook(delivery, event), 0);
  }

  /** How a partner does; null when it was told nothing since the start. */
  Line.@Nullable Standing standing(Partner partner) {
    return lines.standing(partner);
  }

  Partners partners() {
    return partners;
  }

  Outbox outbox() {
    return outbox;
  }

  AddressGuard guard() {
    return guard;
  }

  RelayConfig config() {
    return config;
  }

  private void work(Runnable task) {
    Thread worker =
        Thread.ofVirtual()
            .name("gilmok-relay-call")
            .unstarted(
                () -> {
                  try {
                    task.run();
                  } finally {
                    workers.remove(Thread.currentThread());
                  }
                });
    workers.add(worker);
    worker.start();
  }

  private void run() {
    while (!stopping) {
      long began = System.nanoTime();
      long pause = PAUSE_NANOS;
      try {
        long next = rounds.pass();
        isFailing = false;
        pause = (next - clock.millis()) * 1_000_000L;
      } catch (IOException failed) {
        failed(failed);
      } catch (InterruptedException interrupted) {
        return;
      } catch (RuntimeException bug) {
        failed(bug);
      }
      await(began, pause);
    }
  }

  /** Waits so long, or until something changes, but at least for the pace. */
  private void await(long began, long pause) {
    LockSupport.parkNanos(this, pause);
    while (!stopping) {
      long left = PACE_NANOS - (System.nanoTime() - began);
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(this, left);
    }
  }

  /** Says so once, until it works again. */
  private void failed(Exception failed) {
    meter.storeFailed();
    if (!isFailing && !stopping) {
      isFailing = true;
      LOG.log(System.Logger.Level.WARNING, "the outbox cannot be asked; will go on trying", failed);
    }
  }
}
