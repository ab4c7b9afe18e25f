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
 * What deliveries need of the server.
 *
 * @param keys of the log's records, for one thread
 * @param loops where background work is watched
 * @param unreadable where what the log cannot be told of is counted
 * @param random of new ids, for the thread that asks
 * @param isOurs whether this node tells the log of a shard's deliveries
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
