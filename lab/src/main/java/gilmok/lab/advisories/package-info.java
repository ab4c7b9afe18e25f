/** Compares what the server is made of with published advisories. */
@NullMarked
package gilmok.lab.advisories;

import org.jspecify.annotations.NullMarked;
