package gilmok.process;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What runs in a server's process beside it, from when it answers until it is told to stop. */
@FunctionalInterface
public interface ServerExtension {
  /**
   * The server answers. Called once, on the thread that started it.
   *
   * @param port where it listens
   * @param adminKeyFile where its admin key is; null when it was given one
   * @throws IOException when the guest cannot stay: the server stops
   */
  void arrive(int port, @Nullable Path adminKeyFile) throws IOException, InterruptedException;

  /** The server is about to stop. */
  default void leave() {}
}
