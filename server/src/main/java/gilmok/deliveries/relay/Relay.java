package gilmok.deliveries.relay;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.BackgroundThread;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.Partner;
import gilmok.deliveries.PartnerWebhooks;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The relay: sends partners the events of their deliveries, for the shards that this node holds.
 * Thread-safe.
 *
 * <p>A background loop polls the outbox every {@code relay.poll-interval}, and at once on {@link
 * #changed}; it sleeps while nothing is pending and no other node can change that. Each call to a
 * partner runs on a virtual thread.
 */
public final class Relay implements Drainable, BackgroundLoop.Work {
  /** The least time between two rounds, so that one round serves many changes. */
  private static final long PACE_NANOS = 50_000_000L;

  /** How long to wait for threads that were interrupted. */
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
   * A relay that is not started.
   *
   * @param disclosure is asked before partners are told of riders
   * @param loops where its background loop is watched
   */
  public Relay(RelayContext context, RiderDisclosure disclosure, BackgroundLoops loops) {
    this.context = context;
    RelayConfig first = config();
    guard = new AddressGuard(first.addresses().privateNetworks());
    sender = HttpWebhookSender.of(context.config(), guard, first.addresses().trust());
    partners = new Partners(context.partners(), context.isShared(), context.clock());
    leases =
        new Leases(
            context.partners(), context.node(), context.isShared(), first.lease(), context.clock());
    bulkheads = new PartnerBulkheads(context.config());
    meter = new RelayMeter(context.meters());
    dispatcher = new WebhookDispatcher(context, partners, leases, sender, guard, meter, disclosure);
    poller = new OutboxPoller(context, partners, leases, bulkheads, dispatcher, this::work, meter);
    meter.watch(bulkheads, leases, partners);
    loop = loops.optional("webhooks", "partners get no webhooks", this);
    poller.onChange(loop::wake);
  }

  /** Starts the background loop. */
  public void start() {
    loop.start();
  }

  /**
   * Hints that a delivery has changed, so that its webhooks are sent at once. Cheap and optional.
   */
  public void changed(Delivery delivery) {
    poller.changed(delivery);
  }

  /** Whether this node holds a shard now, so that no other node sends its webhooks. */
  public boolean holds(int shard) {
    return leases.holds(shard, context.clock().millis());
  }

  @Override
  public String name() {
    return "relay";
  }

  /** Starts no new calls, waits for those in flight, and releases the shards. */
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
      // The leases end by themselves.
      meter.storeFailures.increment();
    }
  }

  /** Waits for a thread until that time, then interrupts it and waits a little longer. */
  private static void end(Thread thread, long untilNanos) throws InterruptedException {
    if (!thread.join(Duration.ofNanos(Math.max(1, untilNanos - System.nanoTime())))) {
      thread.interrupt();
      var _ = thread.join(INTERRUPTED_MAX);
    }
  }

  /**
   * Sends one webhook again, now and outside of the order. Blocks. Null when too many are being
   * sent to this partner again.
   *
   * @throws IOException when it was sent, but the attempt could not be noted
   */
  @Nullable WebhookOutcome redeliver(Partner partner, Delivery delivery, DeliveryEvent event)
      throws IOException, InterruptedException {
    PartnerBulkhead bulkhead = bulkheads.of(partner);
    if (!bulkhead.beginRedelivery()) {
      return null;
    }
    try {
      return dispatcher.redeliver(partner, delivery, event);
    } finally {
      bulkhead.endRedelivery();
    }
  }

  /**
   * Tries now what waits for a retry, whatever the partner's breaker and its own Retry-After say.
   * Other nodes see it at their next poll, and their breakers hold. Blocks.
   *
   * @return how many deliveries waited
   */
  long retryNow(Partner partner) throws IOException, InterruptedException {
    bulkheads.of(partner).letThrough();
    long waited = webhooks().retryNow(partner.reader(), partner.id(), context.clock().millis());
    poller.pollAll();
    return waited;
  }

  /** A partner's state; null when nothing was sent to it since the start. */
  PartnerBulkhead.@Nullable Standing standing(Partner partner) {
    return bulkheads.standing(partner);
  }

  Partners partners() {
    return partners;
  }

  PartnerWebhooks webhooks() {
    return context.outbox().webhooks();
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

  /** Waits until the least time between rounds is over, so that one round finds several changes. */
  private void pace() {
    long left = PACE_NANOS - (System.nanoTime() - beganNanos);
    while (left > 0 && !stopping) {
      LockSupport.parkNanos(this, left);
      left = PACE_NANOS - (System.nanoTime() - beganNanos);
    }
  }
}
