/**
 * The last hour of the metrics, in memory, and what the page {@code /ops} asks for. A supervised
 * loop reads the {@link gilmok.observe.Meters} every five seconds ({@link
 * gilmok.ops.MetricsSampler}) and writes one number for each line of the page's charts into a ring
 * ({@link gilmok.ops.MetricsHistory}). What there is to see is said in one place, {@link
 * gilmok.ops.OpsCatalog}. A metric that is not there is not in the answer, and no error.
 */
@NullMarked
package gilmok.ops;

import org.jspecify.annotations.NullMarked;
