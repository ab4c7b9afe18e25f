package gilmok.deliveries.relay;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.BackgroundThread;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.Partner;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells partners of their deliveries, for the shards that this node has. Thread-safe.
 *
 * <p>A background loop goes round; each call of a partner is on a virtual thread. It asks the
 * outbox each {@code relay.poll-interval}, and at once when it is told that something {@link
 * #changed}.
 */
public final class Relay implements Drainable, BackgroundLoop.Work {
  /** The least time between two rounds, so that each finds more than one thing to do. */
  private static final long PACE_NANOS = 50_000_000L;

  /** How long what was interrupted may take to end. */
  private static final Duration INTERRUPTED_MAX = Duration.ofSeconds(1);

  private final RelayContext context;
  private final AddressGuard guard;
  private final HttpWebhookSender sender;
  private final Partners partners;
  private final Leases leases;
  private final PartnerBulkheads bulkheads;
  private final WebhookDispatcher dispatcher;
  private final OutboxPoller poller;
  private final RelayMeter meter;
  private final Set<Thread> workers = ConcurrentHashMap.newKeySet();
  private final BackgroundLoop loop;
  private volatile boolean stopping;
  private long beganNanos = System.nanoTime() - PACE_NANOS;

  /**
   * A relay that is not yet started.
   *
   * @param loops where its background work is watched
   */
  public Relay(RelayContext context, BackgroundLoops loops) {
    this.context = context;
    RelayConfig first = config();
    guard = new AddressGuard(first.allowPrivateNetworks());
    sender = HttpWebhookSender.of(context.config(), guard);
    partners = new Partners(context.partners(), context.isShared(), context.clock());
    leases = new Leases(context.partners(), context.node(), first.lease(), context.clock());
    bulkheads = new PartnerBulkheads(context.config());
    meter = new RelayMeter(context.meters());
    dispatcher = new WebhookDispatcher(context, partners, leases, sender, guard, meter);
    poller = new OutboxPoller(context, partners, leases, bulkheads, dispatcher, this::work, meter);
    meter.watch(bulkheads, leases, partners);
    loop = loops.optional("webhooks", "partners are not told of deliveries", this);
    poller.onChange(loop::wake);
  }

  /** Begins to tell. */
  public void start() {
    loop.start();
  }

  /**
   * A delivery has changed, so that it is told without delay. A hint that costs next to nothing.
   */
  public void changed(Delivery delivery) {
    poller.changed(delivery);
  }

  /** Whether a shard is this node's now, so that nobody else tells its deliveries. */
  public boolean holds(int shard) {
    return leases.holds(shard, context.clock().millis());
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
    dispatcher.stop();
    loop.stop(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
    for (Thread worker : workers) {
      end(worker, until);
    }
    sender.close();
    try {
      leases.releaseAll();
    } catch (IOException failed) {
      // They end by themselves.
      meter.storeFailures.increment();
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
  WebhookOutcome redeliver(Partner partner, Delivery delivery, DeliveryEvent event)
      throws InterruptedException {
    return dispatcher.send(partner, Webhook.of(delivery, event), 0);
  }

  /** How a partner does; null when it was told nothing since the start. */
  PartnerBulkhead.@Nullable Standing standing(Partner partner) {
    return bulkheads.standing(partner);
  }

  Partners partners() {
    return partners;
  }

  Outbox outbox() {
    return context.outbox();
  }

  AddressGuard guard() {
    return guard;
  }

  RelayConfig config() {
    return context.config().get();
  }

  private void work(Runnable task) {
    Thread worker =
        BackgroundThread.virtual(
            "gilmok-relay-call",
            () -> {
              try {
                task.run();
              } finally {
                workers.remove(Thread.currentThread());
              }
            });
    workers.add(worker);
    try {
      worker.start();
    } catch (Throwable noThread) {
      workers.remove(worker);
      throw noThread;
    }
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    pace();
    beganNanos = System.nanoTime();
    try {
      return (poller.pass() - context.clock().millis()) * 1_000_000L;
    } catch (IOException failed) {
      meter.storeFailures.increment();
      throw failed;
    }
  }

  /** What changes one after the other is to be found by one round. */
  private void pace() {
    long left = PACE_NANOS - (System.nanoTime() - beganNanos);
    while (left > 0 && !stopping) {
      LockSupport.parkNanos(this, left);
      left = PACE_NANOS - (System.nanoTime() - beganNanos);
    }
  }
}
