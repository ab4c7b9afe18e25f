/**
 * A day of meal deliveries, replayed against a server: orders are placed, assigned, picked up and
 * delivered, and couriers move and send their positions. Days are read from the files of mdrplib
 * (tab-separated), or generated in the same shape.
 */
@NullMarked
package gilmok.lab.day;

import org.jspecify.annotations.NullMarked;
