@NullMarked
package gilmok.observe;

import org.jspecify.annotations.NullMarked;
