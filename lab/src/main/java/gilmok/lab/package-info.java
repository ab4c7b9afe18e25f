@NullMarked
package gilmok.lab;

import org.jspecify.annotations.NullMarked;
