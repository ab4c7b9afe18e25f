/**
 * Keys over HTTP: made, listed and taken away. Apart from {@code auth}, which {@code http} needs.
 */
@NullMarked
package gilmok.keys;

import org.jspecify.annotations.NullMarked;
