@NullMarked
package gilmok.lab.load;

import org.jspecify.annotations.NullMarked;
