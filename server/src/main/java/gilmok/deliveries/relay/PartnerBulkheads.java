package gilmok.deliveries.relay;

import gilmok.deliveries.Partner;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bulkheads of all partners that this node has sent to: one each, kept until the end.
 * Thread-safe.
 */
final class PartnerBulkheads {
  private final Map<PartnerBulkhead.Key, PartnerBulkhead> all = new ConcurrentHashMap<>();
  private final Supplier<RelayConfig> config;

  PartnerBulkheads(Supplier<RelayConfig> config) {
    this.config = config;
  }

  PartnerBulkhead of(Partner partner) {
    return all.computeIfAbsent(
        PartnerBulkhead.Key.of(partner), key -> new PartnerBulkhead(key, config));
  }

  /** All of them. */
  Collection<PartnerBulkhead> all() {
    return all.values();
  }

  /** A partner's state; null when nothing was sent to it since the start. */
  PartnerBulkhead.@Nullable Standing standing(Partner partner) {
    PartnerBulkhead bulkhead = all.get(PartnerBulkhead.Key.of(partner));
    return bulkhead == null ? null : bulkhead.standing();
  }

  /** How many circuit breakers are in that state. */
  long count(CircuitBreaker.State state) {
    return all.values().stream().filter(bulkhead -> bulkhead.standing().state() == state).count();
  }

  /** How many deliveries are being sent. */
  long inFlight() {
    return all.values().stream().mapToLong(bulkhead -> bulkhead.standing().inFlight()).sum();
  }

  /** How many deliveries are queued in bulkheads. */
  long queued() {
    return all.values().stream().mapToLong(bulkhead -> bulkhead.standing().queued()).sum();
  }
}
