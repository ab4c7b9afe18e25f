@NullMarked
package gilmok.http;

import org.jspecify.annotations.NullMarked;
