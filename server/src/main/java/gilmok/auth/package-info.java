@NullMarked
package gilmok.auth;

import org.jspecify.annotations.NullMarked;
