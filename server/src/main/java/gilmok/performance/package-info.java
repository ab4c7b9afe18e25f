/**
 * What riders did, in figures: stops, punctuality, waits, idle time, distance, and the order they
 * drove against the best order of the same stops. Computed from deliveries and the log, never on a
 * request's thread. Defined in {@code docs/performance.md}.
 */
@NullMarked
package gilmok.performance;

import org.jspecify.annotations.NullMarked;
