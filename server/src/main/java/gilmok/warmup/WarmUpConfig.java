package gilmok.warmup;

import java.time.Duration;

/**
 * How the server warms up before it is ready.
 *
 * @param isOn whether it does at all
 * @param limit when it is ready in any case, and says that it was still getting faster
 */
public record WarmUpConfig(boolean isOn, Duration limit) {}
