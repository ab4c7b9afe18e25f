package gilmok.deliveries.relay;

import gilmok.config.Settings;
import gilmok.http.Networks;
import gilmok.observe.Meters;
import gilmok.trace.Tracer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A relay without threads, clock or network of its own. The test runs its rounds, and then the
 * tasks that they began, one after the other in any order.
 */
final class RelayNode {
  static final RelayConfig CONFIG =
      RelayConfig.from(new Settings(Map.of("relay.private-networks", "127.0.0.0/8, 10.0.0.0/8")));

  final Meters meters = new Meters();
  final PartnerBulkheads bulkheads = new PartnerBulkheads(() -> CONFIG);
  final Partners partners;
  final Leases leases;
  final OutboxPoller poller;
  final WebhookDispatcher dispatcher;
  final RelayMeter meter = new RelayMeter(meters);
  private final List<Runnable> begun = new ArrayList<>();

  /** Whether no task can begin, as on a machine that has no thread to give. */
  boolean isWithoutThreads;

  /** Whether it cannot be noted which partner is told of a rider. */
  boolean hasNoRoomForDisclosures;

  /** Which partner was told of which rider, as in {@code r1 to shop/s1}. */
  final List<String> disclosed = new ArrayList<>();

  RelayNode(
      MemoryDocuments documents,
      Orders clock,
      String name,
      boolean isShared,
      WebhookSender sender) {
    RelayContext context =
        new RelayContext(
            () -> CONFIG,
            documents,
            documents,
            name,
            isShared,
            meters,
            Tracer.NONE,
            clock,
            new Random(name.hashCode()));
    partners = new Partners(documents, isShared, clock);
    leases = new Leases(documents, name, isShared, Duration.ofSeconds(60), clock);
    AddressGuard guard = new AddressGuard(Networks.of(List.of("127.0.0.0/8", "10.0.0.0/8")));
    dispatcher =
        new WebhookDispatcher(context, partners, leases, sender, guard, meter, this::disclosed);
    poller = new OutboxPoller(context, partners, leases, bulkheads, dispatcher, this::begin, meter);
  }

  private boolean disclosed(String rider, String partner) {
    if (hasNoRoomForDisclosures) {
      return false;
    }
    disclosed.add(rider + " to " + partner);
    return true;
  }

  private void begin(Runnable task) {
    if (isWithoutThreads) {
      throw new OutOfMemoryError("told to have no thread");
    }
    begun.add(task);
  }

  /** Runs one round, then every task that it began. */
  long pass() throws Exception {
    long next = poller.pass();
    while (!begun.isEmpty()) {
      begun.removeFirst().run();
    }
    return next;
  }

  /** Runs one of the begun tasks, chosen at random; false if there is none. */
  boolean runOne(Random random) {
    if (begun.isEmpty()) {
      return false;
    }
    begun.remove(random.nextInt(begun.size())).run();
    return true;
  }

  /** The value of a line of the metrics page. */
  double metric(String line) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(one -> one.startsWith(line + " "))
        .mapToDouble(one -> Double.parseDouble(one.substring(one.lastIndexOf(' ') + 1)))
        .sum();
  }
}
