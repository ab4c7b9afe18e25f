@NullMarked
package gilmok.config;

import org.jspecify.annotations.NullMarked;
