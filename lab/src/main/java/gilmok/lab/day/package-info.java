/**
 * A day of meal deliveries, replayed against a server: orders are placed, assigned, picked up and
 * brought, couriers move and send where they are. Days are those of mdrplib (tab-separated files),
 * or made up in the same shape.
 */
@NullMarked
package gilmok.lab.day;

import org.jspecify.annotations.NullMarked;
