/**
 * The sink for Amazon Data Firehose: each record of the log becomes a line of JSON, several lines
 * share one Firehose record, and a call sends as many of those as it can.
 *
 * <p>A batch is encoded ({@link gilmok.sinks.firehose.FirehoseEncoder}) and sent call by call, each
 * after its turn in the {@link gilmok.sinks.firehose.QuotaPacer}. A {@link
 * gilmok.sinks.firehose.PutTally} counts the results, one for each Firehose record. Only records to
 * which Firehose gave an id count as delivered.
 *
 * <p>Order is not kept: calls overtake one another, and Firehose itself promises none. A reader
 * that needs order sorts by {@code sequence}, for one node, or by the record's time.
 */
@NullMarked
package gilmok.sinks.firehose;

import org.jspecify.annotations.NullMarked;
