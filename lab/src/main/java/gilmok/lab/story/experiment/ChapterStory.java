package gilmok.lab.story.experiment;

import gilmok.lab.report.Chapter;
import java.io.IOException;

/** A story whose experiment is one of this package. */
public non-sealed interface ChapterStory extends Story {
  /** Runs the experiment; blocks until it has ended. */
  Chapter show(StoryStage stage) throws IOException, InterruptedException;
}
