@NullMarked
package gilmok.app;

import org.jspecify.annotations.NullMarked;
