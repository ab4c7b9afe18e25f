package gilmok.deliveries.relay;

import gilmok.deliveries.Outbox;
import gilmok.deliveries.PartnerStore;
import gilmok.observe.Meters;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What a relay needs.
 *
 * @param config the bounds in force, which can change while it runs: {@link RelayConfig} says which
 *     of them it then follows
 * @param node this node's id, under which it holds leases
 * @param isShared whether other nodes use the same documents
 * @param random one that threads can share
 */
public record RelayContext(
    Supplier<RelayConfig> config,
    Outbox outbox,
    PartnerStore partners,
    String node,
    boolean isShared,
    Meters meters,
    InstantSource clock,
    RandomGenerator random) {}
