/**
 * The phones: whose each is, which group it shows itself to, what it speaks, and what it is to be
 * told with its next answer.
 */
@NullMarked
package gilmok.collect.devices;

import org.jspecify.annotations.NullMarked;
