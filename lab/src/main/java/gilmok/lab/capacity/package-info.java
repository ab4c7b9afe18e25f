/**
 * How much a server can take, and what ends it: {@code gilmok capacity}.
 *
 * <ol>
 *   <li>A {@link gilmok.lab.capacity.LoadScenario} says what is sent: its flows, and their shares.
 *   <li>{@link gilmok.lab.capacity.StepRunner} sends it at a rate, in an open loop, and says
 *       whether the {@link gilmok.lab.capacity.StepGoals} were kept.
 *   <li>{@link gilmok.lab.capacity.LimitSearch} finds the highest rate that keeps them.
 *   <li>{@link gilmok.lab.capacity.ResourceSampler} looks at the server, the machine and the load
 *       itself each second; {@link gilmok.lab.capacity.Suspects} names the resource that was full.
 *   <li>{@link gilmok.lab.capacity.CapacityReport} is all of it, as JSON, and {@link
 *       gilmok.lab.capacity.CapacityPage} as one HTML page.
 * </ol>
 */
@NullMarked
package gilmok.lab.capacity;

import org.jspecify.annotations.NullMarked;
