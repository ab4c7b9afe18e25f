package gilmok.process;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Code that runs beside a server in its process, from the time it answers until it is told to stop.
 * Its methods are called by the thread that runs the server.
 */
@FunctionalInterface
public interface ServerExtension {
  /**
   * Called once the server listens; it is not ready yet and refuses requests.
   *
   * @param port the port it listens on
   * @param adminKeyFile the file of its admin key; null if the key was given in the settings
   */
  default void listening(int port, @Nullable Path adminKeyFile) {}

  /**
   * Called once the server answers, on the thread that started it.
   *
   * @param port the port it listens on
   * @param adminKeyFile the file of its admin key; null if the key was given in the settings
   * @throws IOException when the extension cannot run: the server stops
   */
  void arrive(int port, @Nullable Path adminKeyFile) throws IOException, InterruptedException;

  /** Called when the server is about to stop. */
  default void leave() {}
}
