/** Measures the goals of the server in one run, beside baselines, and writes pages with plots. */
@NullMarked
package gilmok.lab.capacity;

import org.jspecify.annotations.NullMarked;
