/**
 * Statements: what a rider earned, by date. Entries come from completed deliveries, by way of the
 * log, and from the fleet's own systems.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>An entry is never changed: what was wrong is put right by another one. The same id again is
 *       the same entry, and is not added.
 *   <li>Amounts are whole minor units and never negative; a deduction is taken off. Ways are whole
 *       millimetres. So sums are exact, and the same in whatever order they are made.
 *   <li>A day is one of the fleet's time zone, and as long as that makes it.
 *   <li>A statement asks for one index and the fields it sums; nothing becomes an object for each
 *       entry.
 * </ul>
 *
 * <p>{@link gilmok.statements.EntryStore} keeps and sums, {@link gilmok.statements.DayRange} says
 * where days begin.
 */
@NullMarked
package gilmok.statements;

import org.jspecify.annotations.NullMarked;
