package gilmok.sinks;

import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What shipping needs from outside.
 *
 * @param random used once for each sink, when it starts
 * @param keys computes the key of a record that is quarantined; called by one thread at a time
 * @param saveInterval how often cursors and receipts are made durable: after a crash, at most the
 *     records acknowledged within this time are sent again
 */
public record SinksContext(
    InstantSource clock,
    RandomGenerator random,
    RecordKeys keys,
    Meters meters,
    Duration saveInterval) {}
