@NullMarked
package gilmok.collect.json;

import org.jspecify.annotations.NullMarked;
