@NullMarked
package gilmok.lab.crash;

import org.jspecify.annotations.NullMarked;
