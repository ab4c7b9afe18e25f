package gilmok.log;

import gilmok.storage.Disk;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What the log needs from outside.
 *
 * @param onFailure called once, when the log has failed for good; the process should end
 */
public record LogContext(
    Disk disk,
    InstantSource clock,
    RandomGenerator random,
    RecordKeys keys,
    LogMeter meter,
    Consumer<Throwable> onFailure) {}
