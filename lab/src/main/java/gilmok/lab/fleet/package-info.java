/**
 * A delivery fleet that is not there: riders on streets of Seoul, the phones in their pockets, and
 * what sends the phones' positions to a server. {@link gilmok.lab.fleet.Fleet} is pure: seeded, no
 * clock, no threads. {@link gilmok.lab.fleet.FleetRun} lets it drive by the clock and sends.
 */
@NullMarked
package gilmok.lab.fleet;

import org.jspecify.annotations.NullMarked;
