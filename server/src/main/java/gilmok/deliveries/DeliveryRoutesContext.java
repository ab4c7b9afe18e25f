package gilmok.deliveries;

import gilmok.http.Offload;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What routes of deliveries work with.
 *
 * @param random of new ids, for the thread that asks
 * @param changed is told of each delivery that has changed
 */
record DeliveryRoutesContext(
    DeliveryStore store,
    Offload offload,
    DeliveryMeters meters,
    InstantSource clock,
    Supplier<? extends RandomGenerator> random,
    Consumer<Delivery> changed) {}
