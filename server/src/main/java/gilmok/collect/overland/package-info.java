/**
 * The dialect of Overland on iOS and of Colota on Android: batches of GeoJSON features, answered
 * {@code {"result":"ok"}} or sent again for ever.
 */
@NullMarked
package gilmok.collect.overland;

import org.jspecify.annotations.NullMarked;
