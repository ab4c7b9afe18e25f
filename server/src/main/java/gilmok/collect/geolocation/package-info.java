/**
 * The dialect of apps that are made with Transistorsoft's background-geolocation, of which Traccar
 * Client 9 is one: {@code {"location":{…},"device_id":…}}.
 */
@NullMarked
package gilmok.collect.geolocation;

import org.jspecify.annotations.NullMarked;
