/**
 * A server: its settings, the parts its features are built from, and the features themselves, one
 * module each, connected by hand. {@link gilmok.app.Server} is the map of the system.
 */
@NullMarked
package gilmok.app;

import org.jspecify.annotations.NullMarked;
