package gilmok.sinks;

import java.util.concurrent.locks.ReentrantLock;

/**
 * What all batch senders of one sink share.
 *
 * @param sinkLock held while sending to an ordered sink and while asking it for held records
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
