package gilmok.deliveries.relay;

import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.OutboxReader;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.observe.WaitMeter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The metrics of the relay. Thread-safe. */
final class RelayMeter {
  /** How many partners have counters of their own; all further ones share one set. */
  static final int PARTNERS_MAX = 100;

  private static final String[] OUTCOMES = {"success", "status", "none"};
  private static final String OTHER = "other";

  /** Why a delivery was put off without a call. */
  enum Put {
    BREAKER,
    FULL,
    PARTNER,
    BUG
  }

  /** The counters of one partner. */
  private record Own(Counter delivered, Counter failed) {}

  private final Meters meters;
  private final Counter[] calls = new Counter[OUTCOMES.length];
  private final Map<OutboxReader, Counter> skipped = new EnumMap<>(OutboxReader.class);
  private final Map<OutboxReader, Counter> setAside = new EnumMap<>(OutboxReader.class);
  private final Map<Put, Counter> putOff;
  final Counter gone;
  final Counter storeFailures;

  /** Times a partner answered again after it had failed. */
  final Counter recovered;

  private final Histogram callSeconds;
  private final WaitMeter wait;
  private final Histogram deliveredSeconds;
  private final Map<PartnerBulkhead.Key, Own> partners = new ConcurrentHashMap<>();
  private final Own others;

  RelayMeter(Meters meters) {
    this.meters = meters;
    for (int i = 0; i < OUTCOMES.length; i++) {
      calls[i] =
          meters.counter(
              "gilmok_relay_calls_total", "Calls of partners, by outcome.", "outcome", OUTCOMES[i]);
    }
    for (OutboxReader reader : new OutboxReader[] {OutboxReader.SHOP, OutboxReader.AGENCY}) {
      String kind = kind(reader);
      skipped.put(
          reader,
          meters.counter(
              "gilmok_relay_skipped_total",
              "Deliveries settled without a webhook, as no partner subscribes to them.",
              "kind",
              kind));
      setAside.put(
          reader,
          meters.counter(
              "gilmok_relay_dead_lettered_total",
              "Events given up: kept, and not sent again by themselves.",
              "kind",
              kind));
    }
    putOff =
        meters.counters(
            Put.class,
            "gilmok_relay_deferred_total",
            "Deliveries deferred without a call, by reason.",
            "reason");
    gone = meters.counter("gilmok_relay_gone_total", "Partners that answered 410.");
    storeFailures =
        meters.counter(
            "gilmok_relay_store_failures_total", "Times the documents did not answer the relay.");
    recovered =
        meters.counter(
            "gilmok_relay_recovered_total",
            "Times all that waited for a partner was retried at once, as it answered again.");
    wait = new WaitMeter(meters, "partner");
    callSeconds = meters.seconds("gilmok_relay_call_seconds", "One call of a partner.");
    deliveredSeconds =
        meters.seconds("gilmok_relay_delivered_seconds", "From an event's recording to its 2xx.");
    others = own(OTHER);
  }

  /** Registers the gauges. */
  void watch(PartnerBulkheads bulkheads, Leases leases, Partners known) {
    for (CircuitBreaker.State state : CircuitBreaker.State.values()) {
      meters.gauge(
          "gilmok_relay_breakers",
          "Partners by the state of their breaker.",
          () -> bulkheads.count(state),
          "state",
          state.name().toLowerCase(Locale.ROOT));
    }
    meters.gauge(
        "gilmok_relay_in_flight", "Deliveries whose webhooks are being sent.", bulkheads::inFlight);
    meters.gauge(
        "gilmok_relay_waiting", "Deliveries that wait in the partners' queues.", bulkheads::queued);
    meters.gauge(
        "gilmok_relay_shards", "Shards, of 64, whose webhooks this node sends.", leases::count);
    meters.gauge("gilmok_relay_partners", "Partners known.", known::size);
    meters.gauge(
        "gilmok_relay_partners_unreadable",
        "Partners whose document cannot be read; their webhooks wait.",
        known::unreadable);
  }

  /** Measures the waiting for partners' answers. */
  WaitMeter waits() {
    return wait;
  }

  /** Counts a call that has ended. */
  void called(PartnerBulkhead.Key partner, WebhookOutcome outcome, long nanos) {
    calls[outcome.isSuccess() ? 0 : outcome.status() > 0 ? 1 : 2].increment();
    callSeconds.record(nanos);
    Own own = of(partner);
    (outcome.isSuccess() ? own.delivered : own.failed).increment();
  }

  /** Records the delay between an event and its successful webhook. */
  void told(DeliveryEvent event, long nowMillis) {
    deliveredSeconds.record(Math.max(0, nowMillis - event.recordedAtMillis()) * 1_000_000);
  }

  void skipped(OutboxReader reader, int deliveries) {
    add(skipped.get(reader), deliveries);
  }

  void setAside(OutboxReader reader) {
    add(setAside.get(reader), 1);
  }

  void putOff(Put reason) {
    add(putOff.get(reason), 1);
  }

  static String kind(OutboxReader reader) {
    return reader.name().toLowerCase(Locale.ROOT);
  }

  private Own of(PartnerBulkhead.Key partner) {
    Own own = partners.get(partner);
    if (own != null) {
      return own;
    }
    synchronized (partners) {
      if (partners.size() >= PARTNERS_MAX) {
        return partners.getOrDefault(partner, others);
      }
      return partners.computeIfAbsent(
          partner, key -> own(kind(key.reader()) + ":" + key.partnerId()));
    }
  }

  private Own own(String label) {
    return new Own(
        meters.counter(
            "gilmok_relay_partner_delivered_total",
            "Calls of the partner that were answered 2xx.",
            "partner",
            label),
        meters.counter(
            "gilmok_relay_partner_failed_total",
            "Calls of the partner that failed.",
            "partner",
            label));
  }

  private static void add(@Nullable Counter counter, int more) {
    if (counter != null) {
      counter.add(more);
    }
  }
}
