/**
 * The sink for Amazon Data Firehose: each record of the log a line of JSON, several lines in one of
 * Firehose's records, as many of those in a call as it takes.
 *
 * <p>A batch is packed ({@link gilmok.sinks.firehose.FirehoseEncoder}) and put call by call, each
 * after its turn in the {@link gilmok.sinks.firehose.QuotaPacer}; what Firehose answers is counted
 * in a {@link gilmok.sinks.firehose.PutTally}, each of its records by itself. Only what it gave an
 * id counts as delivered.
 *
 * <p>Order is not kept: calls overtake one another, and Firehose itself promises none. A reader
 * that needs it sorts by {@code sequence}, of one node, or by the record's time.
 */
@NullMarked
package gilmok.sinks.firehose;

import org.jspecify.annotations.NullMarked;
