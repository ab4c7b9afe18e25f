/** What an experiment of a story is, and what it runs with. */
@NullMarked
package gilmok.lab.story.experiment;

import org.jspecify.annotations.NullMarked;
