/** The load generator: open and closed loops over HTTP/1.1, and their results. */
@NullMarked
package gilmok.lab.load;

import org.jspecify.annotations.NullMarked;
