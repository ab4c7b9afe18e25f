/** The pages for people, their files, and the session of a page. */
@NullMarked
package gilmok.pages;

import org.jspecify.annotations.NullMarked;
