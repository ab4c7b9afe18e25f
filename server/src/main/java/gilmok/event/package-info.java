@NullMarked
package gilmok.event;

import org.jspecify.annotations.NullMarked;
