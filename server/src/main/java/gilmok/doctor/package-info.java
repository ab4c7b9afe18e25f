/** Looks at the documents of a server without changing them, and says what is slow or lacking. */
@NullMarked
package gilmok.doctor;

import org.jspecify.annotations.NullMarked;
