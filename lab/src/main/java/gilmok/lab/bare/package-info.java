@NullMarked
package gilmok.lab.bare;

import org.jspecify.annotations.NullMarked;
