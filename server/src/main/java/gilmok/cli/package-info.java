@NullMarked
package gilmok.cli;

import org.jspecify.annotations.NullMarked;
