/**
 * The sink for Kafka: every stream into a topic of its own, and each rider's newest position into a
 * compacted one; and {@link gilmok.sinks.kafka.KafkaPositions}, which reads both topics with
 * positions. What readers see is described in docs/sinks.md. Kafka's client is not in the program's
 * jar but in a pack ({@code gilmok.config.Packs}): nothing outside this package names it, and the
 * settings ({@link gilmok.sinks.kafka.KafkaConfig}) do without it.
 *
 * <h2>Order</h2>
 *
 * A rider's records have one key and so one partition. They must arrive in the order in which they
 * were collected, also when some of them fail; a record that comes again later is a repeat, which
 * readers drop. Idempotence alone does not give that: after a batch has failed for good (its time
 * was over, its topic was denied), Kafka's client begins new sequence numbers and sends what it has
 * left, so that later records overtake the failed ones. So two rules hold in {@link
 * gilmok.sinks.kafka.OrderedProducer}:
 *
 * <ul>
 *   <li>Of a partition, one request at a time is under way ({@code max.in.flight…=1}): the next
 *       waits for its answer.
 *   <li>The first failure closes the producer within the very callback that tells of it, before its
 *       thread can send anything else. What it had left counts as not sent, and the next attempt
 *       opens another producer.
 * </ul>
 *
 * A request that nobody waits for any longer may still arrive. It holds a run of records that
 * follows what was there, so it repeats records and moves none before an earlier one.
 *
 * <p>One failure is no such failure: a record that is larger than its topic takes. It goes into
 * quarantine, and those after it may go on.
 */
@NullMarked
package gilmok.sinks.kafka;

import org.jspecify.annotations.NullMarked;
