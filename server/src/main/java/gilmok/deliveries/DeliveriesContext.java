package gilmok.deliveries;

import gilmok.background.BackgroundLoops;
import gilmok.http.Offloads;
import gilmok.log.Log;
import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import java.time.InstantSource;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What deliveries use of the server.
 *
 * @param keys keys of the log's records, for one thread
 * @param loops where background loops are watched
 * @param unreadable counts deliveries that cannot be published
 * @param random for new ids; a generator for the calling thread
 * @param isOurs whether this node publishes the events of a shard
 */
public record DeliveriesContext(
    Log log,
    RecordKeys keys,
    Meters meters,
    Offloads offloads,
    InstantSource clock,
    BackgroundLoops loops,
    UnreadableDeliveries unreadable,
    Supplier<? extends RandomGenerator> random,
    IntPredicate isOurs) {}
