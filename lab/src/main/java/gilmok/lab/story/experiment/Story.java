package gilmok.lab.story.experiment;

/** One thing that a story tells, shown by an experiment. */
public sealed interface Story permits ChapterStory, CommandStory {
  /** Its name on the command line. */
  String name();

  /** What the story tells, in a sentence or two. */
  String told();
}
