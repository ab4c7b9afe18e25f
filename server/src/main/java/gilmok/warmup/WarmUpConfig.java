package gilmok.warmup;

import java.time.Duration;

/**
 * How the server warms up before it is ready.
 *
 * @param isOn whether it does at all
 * @param limit when it is ready in any case, and says that it was still getting faster
 * @param sharesEngines whether it writes to the MongoDB and the Redis that the fleet shares
 */
public record WarmUpConfig(boolean isOn, Duration limit, boolean sharesEngines) {}
