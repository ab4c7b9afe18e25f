/**
 * Tries the engines that a fleet has, such as its MongoDB and its Kafka, with the product's own
 * stores and sinks in a place of their own there, and says what each keeps of what the tests hold
 * their stand-ins to. All that it writes is bounded, and removed at the end.
 */
@NullMarked
package gilmok.accept;

import org.jspecify.annotations.NullMarked;
