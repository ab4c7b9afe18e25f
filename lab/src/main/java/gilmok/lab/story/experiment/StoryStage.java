package gilmok.lab.story.experiment;

import gilmok.lab.Servers;
import java.nio.file.Path;

/**
 * What experiments run with.
 *
 * @param servers starts servers
 * @param heap of each of Gilmok's servers, in Java's notation
 * @param folder for data and recordings; deleted afterwards
 * @param seconds of each measurement
 */
public record StoryStage(Servers servers, String heap, Path folder, double seconds) {
  /** The root of the checkout that contains the jar, where the stand-ins' programs are. */
  public Path root() {
    return servers.labJar().resolve("../../..").normalize();
  }
}
