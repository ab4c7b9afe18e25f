/**
 * Examines the documents of a server without changing them, and reports what is slow or missing.
 */
@NullMarked
package gilmok.doctor;

import org.jspecify.annotations.NullMarked;
