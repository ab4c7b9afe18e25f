/** The program: its commands, and the life of a server from its start to its exit code. */
@NullMarked
package gilmok.process;

import org.jspecify.annotations.NullMarked;
