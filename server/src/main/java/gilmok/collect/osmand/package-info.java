/**
 * The dialect of OsmAnd: OsmAnd itself, Traccar Client up to 8 and from 10 on ({@link
 * gilmok.collect.osmand.Osmand}). Its names are in {@code docs/dialects.md}, A and C.
 */
@NullMarked
package gilmok.collect.osmand;

import org.jspecify.annotations.NullMarked;
