/** The collecting endpoint reduced to HTTP and parsing, as an upper bound of the rate. */
@NullMarked
package gilmok.lab.bare;

import org.jspecify.annotations.NullMarked;
