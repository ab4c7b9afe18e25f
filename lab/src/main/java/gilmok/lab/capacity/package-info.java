@NullMarked
package gilmok.lab.capacity;

import org.jspecify.annotations.NullMarked;
