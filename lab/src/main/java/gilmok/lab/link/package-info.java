/** A slow link to a server: responses are delayed. */
@NullMarked
package gilmok.lab.link;

import org.jspecify.annotations.NullMarked;
