/**
 * How the apps of {@code docs/phones.md} are set up for one rider: what to enter where, and a link
 * or QR code that does it. Nothing is kept.
 */
@NullMarked
package gilmok.phones;

import org.jspecify.annotations.NullMarked;
