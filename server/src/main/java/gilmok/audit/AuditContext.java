package gilmok.audit;

import gilmok.background.BackgroundLoops;
import gilmok.log.Log;
import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What the audit stands on.
 *
 * @param raise raises the format of the log's folder, before the first entry
 * @param keys the deduplication keys of the log, for one thread
 * @param store where entries are read and kept
 * @param retention how long they are kept
 */
public record AuditContext(
    Log log,
    Raise raise,
    RecordKeys keys,
    AuditStore store,
    Duration retention,
    Meters meters,
    BackgroundLoops loops,
    InstantSource clock,
    RandomGenerator random) {

  /** Prepares a data folder for its first entry. */
  @FunctionalInterface
  public interface Raise {
    /** Durable on return; does nothing the second time. */
    void raise() throws IOException;
  }
}
