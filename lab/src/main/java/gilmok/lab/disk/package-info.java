/** What the disk alone does, without a server. */
@NullMarked
package gilmok.lab.disk;

import org.jspecify.annotations.NullMarked;
