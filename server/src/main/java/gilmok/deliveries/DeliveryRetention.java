package gilmok.deliveries;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * How long deliveries are kept, and what becomes of them.
 *
 * @param keep how long after their creation and their last change; zero: for ever. Asked for again
 *     and again, as a reload may change it
 * @param archive where they go before they are removed
 * @param removal takes them out of the store
 */
public record DeliveryRetention(
    Supplier<Duration> keep, DeliveryArchive archive, DeliveryRemoval removal) {}
