package gilmok.lab.story.experiment;

import java.util.List;

/**
 * A story that another command of the laboratory shows.
 *
 * @param arguments that command and its arguments
 */
public record CommandStory(String name, String told, List<String> arguments) implements Story {}
