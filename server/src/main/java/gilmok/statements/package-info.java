/**
 * Statements: what a rider earned, by date. Entries come from completed deliveries, by way of the
 * log, and from the fleet's own systems.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>An entry never changes: a mistake is corrected by a further entry. An entry with a known id
 *       is a repeat and is not added.
 *   <li>Amounts are whole minor units and never negative; deductions are subtracted. Distances are
 *       whole millimetres. So sums are exact, whatever the order of summing.
 *   <li>A day is a day of the fleet's time zone, with the length it has there.
 *   <li>A statement reads one index and only the fields it sums; no object is made for an entry.
 * </ul>
 *
 * <p>{@link gilmok.statements.EntryStore} stores entries and sums them; {@link
 * gilmok.statements.DayRange} computes where days begin.
 */
@NullMarked
package gilmok.statements;

import org.jspecify.annotations.NullMarked;
