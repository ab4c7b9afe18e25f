@NullMarked
package gilmok.live;

import org.jspecify.annotations.NullMarked;
