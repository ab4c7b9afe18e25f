/**
 * Keys over HTTP: they are made, listed and revoked. Separate from {@code auth}, on which {@code
 * http} depends.
 */
@NullMarked
package gilmok.keys;

import org.jspecify.annotations.NullMarked;
