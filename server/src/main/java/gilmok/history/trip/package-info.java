/**
 * Where a rider stayed and which trips lay between, out of the points of one rider in the order of
 * time; and the points as a line with fewer of them. Pure functions: no clock, no thread, nothing
 * read or written. Everything runs in one pass, in a few hundred bytes whatever the number of
 * points, and makes no object for a point.
 *
 * <p>A reader of points writes into a {@link gilmok.history.trip.PointSink}: a {@link
 * gilmok.history.trip.FixFilter}, which drops fixes that cannot be, and behind it a {@link
 * gilmok.history.trip.StayFinder} or a {@link gilmok.history.trip.LineSimplifier}. The methods,
 * their sources and what they cannot tell are described in {@code docs/history.md}.
 */
@NullMarked
package gilmok.history.trip;

import org.jspecify.annotations.NullMarked;
