/** Measures the disk alone, without a server. */
@NullMarked
package gilmok.lab.disk;

import org.jspecify.annotations.NullMarked;
