/**
 * What broke in the stories, as it was and as it was mended, in one run: {@code lab story}. Each
 * way is a server of its own process, a small one that does nothing but what the story tells, or
 * Gilmok's; the same load asks one after the other.
 */
@NullMarked
package gilmok.lab.story;

import org.jspecify.annotations.NullMarked;
