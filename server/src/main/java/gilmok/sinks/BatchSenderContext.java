package gilmok.sinks;

import java.util.concurrent.locks.ReentrantLock;

/**
 * What the deliveries of one sink share.
 *
 * @param sinkLock held by who sends to an ordered sink or asks it for what it holds
 */
record BatchSenderContext(
    String name,
    Sink sink,
    ReentrantLock sinkLock,
    SinkState account,
    SinkCursor cursor,
    FlowControl flow,
    RefusalBreaker breaker,
    DeadLetters deadLetters,
    SinkMeter meter) {}
