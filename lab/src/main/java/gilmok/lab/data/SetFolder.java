package gilmok.lab.data;

import gilmok.lab.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of commands that use public sets: the folder in which they are. */
public final class SetFolder {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The folder of public sets (default: lab/data).")
  private @Nullable Path folder;

  /** The folder; it need not be there. */
  public Path path() throws IOException {
    return folder == null ? Servers.root().resolve("lab/data") : folder;
  }

  /**
   * The folder of one set.
   *
   * @throws IOException when there is no such set, or it was not brought yet; says what to do
   */
  public Path of(String name) throws IOException {
    PublicSet set =
        PublicSet.named(name)
            .orElseThrow(() -> new IOException("no set " + name + "; see: gilmok lab data list"));
    Path place = set.in(path());
    if (!Files.isDirectory(place)) {
      throw new IOException(place + " is not there; bring it by: gilmok lab data get " + name);
    }
    return place;
  }
}
