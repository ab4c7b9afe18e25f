@NullMarked
package gilmok.warmup;

import org.jspecify.annotations.NullMarked;
