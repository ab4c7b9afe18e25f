/** The pages that people look at, their files, and the session that a page keeps. */
@NullMarked
package gilmok.pages;

import org.jspecify.annotations.NullMarked;
