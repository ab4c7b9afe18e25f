/** The program: its commands, and a server's life from its start to its exit code. */
@NullMarked
package gilmok.process;

import org.jspecify.annotations.NullMarked;
