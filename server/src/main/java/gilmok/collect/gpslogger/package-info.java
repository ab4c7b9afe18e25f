/**
 * The dialect of GPSLogger with its custom URL ({@link gilmok.collect.gpslogger.GpsLogger}). Its
 * names are in {@code docs/dialects.md}, G.
 */
@NullMarked
package gilmok.collect.gpslogger;

import org.jspecify.annotations.NullMarked;
