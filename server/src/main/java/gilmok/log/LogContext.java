package gilmok.log;

import gilmok.storage.Disk;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What the log takes from outside.
 *
 * @param onFailure is told, once, that the log has failed for good; the process should end
 */
public record LogContext(
    Disk disk,
    InstantSource clock,
    RandomGenerator random,
    RecordKeys keys,
    LogMeter meter,
    Consumer<Throwable> onFailure) {}
