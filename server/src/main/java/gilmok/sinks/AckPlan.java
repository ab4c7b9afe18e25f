package gilmok.sinks;

import java.time.Duration;

/**
 * Which sink acknowledges what is collected, in place of the log's disk.
 *
 * @param sink its name
 * @param waitMax how long an append waits for it
 */
public record AckPlan(String sink, Duration waitMax) {}
