/**
 * Public data for the experiments: which sets there are, from where, under which licence, and a
 * command that brings one onto the machine and holds it to its checksum. Nothing of them is in the
 * repository. Those who read them, such as {@code lab.plan}, know their formats.
 */
@NullMarked
package gilmok.lab.data;

import org.jspecify.annotations.NullMarked;
