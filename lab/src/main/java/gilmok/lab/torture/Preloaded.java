package gilmok.lab.torture;

import gilmok.lab.Shell;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Small libraries of ours, compiled here and preloaded into the server. Blocks. */
final class Preloaded {
  /** Names those that a process is to be started with, with colons between. */
  static final String VARIABLE = "LD_PRELOAD";

  private Preloaded() {}

  /**
   * Compiles one.
   *
   * @param library where it goes; its source, a resource beside this class, has its name
   */
  static void compile(Path library) throws IOException, InterruptedException {
    String name = library.getFileName().toString().replace(".so", ".c");
    Path source = library.resolveSibling(name);
    try (InputStream text = Preloaded.class.getResourceAsStream(name)) {
      if (text == null) {
        throw new FileNotFoundException(name);
      }
      Files.copy(text, source);
    }
    Shell.must(
        "gcc", "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString(), "-ldl");
  }
}
