/**
 * What the process uses of its machine, and what the machine lacks, for the metrics. All of it is
 * read while metrics are asked for; nothing here costs a request anything.
 */
@NullMarked
package gilmok.observe.machine;

import org.jspecify.annotations.NullMarked;
