/**
 * Phones with GPSLogger and its custom URL ({@link gilmok.collect.gpslogger.GpsLogger}). The names
 * it uses are in {@code docs/dialects.md}, G.
 */
@NullMarked
package gilmok.collect.gpslogger;

import org.jspecify.annotations.NullMarked;
