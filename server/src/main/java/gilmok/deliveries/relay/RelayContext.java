package gilmok.deliveries.relay;

import gilmok.deliveries.Outbox;
import gilmok.deliveries.PartnerStore;
import gilmok.observe.Meters;
import gilmok.trace.Tracer;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What a relay works with.
 *
 * @param config the limits now in force, which can change while it runs; {@link RelayConfig} says
 *     which of them it follows
 * @param node this node's id, which holds the leases
 * @param isShared whether other nodes use the same documents
 * @param tracer keeps the spans of webhooks that are part of a trace
 * @param random a generator that threads can share
 */
public record RelayContext(
    Supplier<RelayConfig> config,
    Outbox outbox,
    PartnerStore partners,
    String node,
    boolean isShared,
    Meters meters,
    Tracer tracer,
    InstantSource clock,
    RandomGenerator random) {}
