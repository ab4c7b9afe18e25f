/**
 * The dialect of Overland on iOS and of Colota on Android: batches of GeoJSON features. The app
 * sends a batch again and again until it is answered {@code {"result":"ok"}}.
 */
@NullMarked
package gilmok.collect.overland;

import org.jspecify.annotations.NullMarked;
