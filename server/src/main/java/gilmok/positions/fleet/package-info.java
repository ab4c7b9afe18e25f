/**
 * The positions that other nodes collect: read where the sinks of all nodes write them, and given
 * to this node's latest positions. So every node answers for the riders of the whole fleet.
 *
 * <p>Nodes do not know each other, and send each other nothing. A {@code FleetSource} is a place
 * that all of them write to; {@code FleetFollower} reads it, by {@code FleetRecords}. {@code
 * RedisFleet} reads the keys of the Redis sink (docs/sinks.md), in this order:
 *
 * <ol>
 *   <li>it notes the end of the stream;
 *   <li>it reads all riders from the hashes, in pages, and meanwhile follows the stream from there;
 *   <li>it follows the stream.
 * </ol>
 *
 * <p>A sink moves a rider in the hash before it adds the position to the stream, and HSCAN returns
 * everything that is there from its begin to its end. So what was in the stream before the noted
 * end is in the hash, and what came later is read from the stream. The order does not matter,
 * because the newest fix is the latest. When the stream no longer has what follows the last entry
 * read (Redis was away for longer than it reaches, or has lost data), all begins again.
 *
 * <p>Kafka's topics are read in the same two steps, by {@code gilmok.sinks.kafka.KafkaPositions}:
 * only the sink's package names Kafka's client.
 */
@NullMarked
package gilmok.positions.fleet;

import org.jspecify.annotations.NullMarked;
