/**
 * Instructions for setting up the apps of {@code docs/phones.md} for one rider: the values to
 * enter, and a link or QR code that enters them. Nothing is stored.
 */
@NullMarked
package gilmok.phones;

import org.jspecify.annotations.NullMarked;
