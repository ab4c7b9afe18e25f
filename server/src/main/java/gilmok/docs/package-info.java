/** The API's contract, and the pages that show it. */
@NullMarked
package gilmok.docs;

import org.jspecify.annotations.NullMarked;
