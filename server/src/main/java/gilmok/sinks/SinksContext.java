package gilmok.sinks;

import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import gilmok.observe.SlowRequests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What shipping needs from outside.
 *
 * @param random used once for each sink, when it starts
 * @param keys computes the key of a record that is quarantined; called by one thread at a time
 * @param slowest gets the slowest batches of each sink
 * @param saveInterval how often cursors and receipts are made durable: after a crash, at most the
 *     records acknowledged within this time are sent again
 * @param ack the sink that acknowledges what is collected; null if the log's disk does
 */
public record SinksContext(
    InstantSource clock,
    RandomGenerator random,
    RecordKeys keys,
    Meters meters,
    SlowRequests slowest,
    Duration saveInterval,
    @Nullable AckPlan ack) {
  /** The slowest batches are shown nowhere, and no sink acknowledges. */
  public SinksContext(
      InstantSource clock,
      RandomGenerator random,
      RecordKeys keys,
      Meters meters,
      Duration saveInterval) {
    this(clock, random, keys, meters, new SlowRequests(System::nanoTime), saveInterval, null);
  }
}
