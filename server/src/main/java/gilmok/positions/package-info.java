@NullMarked
package gilmok.positions;

import org.jspecify.annotations.NullMarked;
