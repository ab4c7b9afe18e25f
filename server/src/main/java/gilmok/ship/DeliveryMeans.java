package gilmok.ship;

import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the deliveries of one sink share.
 *
 * @param sinkLock held by who sends to an ordered sink or asks it for what it holds
 */
record DeliveryMeans(
    String name,
    Sink sink,
    ReentrantLock sinkLock,
    SinkAccount account,
    SinkCursor cursor,
    Traffic traffic,
    RefusalBreaker breaker,
    Aside aside,
    SinkMeter meter,
    InstantSource clock) {}
