@NullMarked
package gilmok.log;

import org.jspecify.annotations.NullMarked;
