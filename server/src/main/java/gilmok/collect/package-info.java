@NullMarked
package gilmok.collect;

import org.jspecify.annotations.NullMarked;
