package gilmok.http;

import java.time.Duration;

/**
 * How an {@link Offload} waits for work that another thread ends. Immutable.
 *
 * @param max after which the work is cancelled, and its request answered 503 {@code busy}
 * @param on what is waited for, in the parts of the request's time
 */
public record LaterWait(Duration max, String on) {}
