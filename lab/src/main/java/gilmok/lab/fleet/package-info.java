/**
 * A simulated delivery fleet: riders on the streets of Seoul, their phones, and the sender of the
 * phones' positions. {@link gilmok.lab.fleet.Fleet} is deterministic: it has a seed, no clock and
 * no threads. {@link gilmok.lab.fleet.FleetRun} moves it in real time and sends.
 */
@NullMarked
package gilmok.lab.fleet;

import org.jspecify.annotations.NullMarked;
