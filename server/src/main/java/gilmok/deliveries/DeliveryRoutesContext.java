package gilmok.deliveries;

import gilmok.http.Offload;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What the routes of deliveries work with.
 *
 * @param random for new ids; a generator for the calling thread
 * @param changed called with each delivery that has changed
 */
record DeliveryRoutesContext(
    DeliveryStore store,
    Offload offload,
    DeliveryMeters meters,
    InstantSource clock,
    Supplier<? extends RandomGenerator> random,
    Consumer<Delivery> changed) {}
