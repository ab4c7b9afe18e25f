/** A slow way to a server: what comes back over it comes back later. */
@NullMarked
package gilmok.lab.link;

import org.jspecify.annotations.NullMarked;
