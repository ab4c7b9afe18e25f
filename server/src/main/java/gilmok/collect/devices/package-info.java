/**
 * The phones: the rider and the group of each, the dialect it speaks, and the commands that it gets
 * with its next answer.
 */
@NullMarked
package gilmok.collect.devices;

import org.jspecify.annotations.NullMarked;
