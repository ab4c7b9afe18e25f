package gilmok.sinks;

import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What shipping takes from outside.
 *
 * @param random asked once for each sink, when it starts
 * @param keys tells the key of a record that is set aside; asked by one thread at a time
 * @param saveInterval how often cursors and receipts are made durable: after a crash at most what
 *     was acknowledged within it is sent again
 */
public record SinksContext(
    InstantSource clock,
    RandomGenerator random,
    RecordKeys keys,
    Meters meters,
    Duration saveInterval) {}
