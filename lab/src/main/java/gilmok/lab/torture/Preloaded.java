package gilmok.lab.torture;

import gilmok.lab.Shell;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compiles small C libraries that are preloaded into the server. Blocks. */
final class Preloaded {
  /** The environment variable with the libraries of a process, separated by colons. */
  static final String VARIABLE = "LD_PRELOAD";

  private Preloaded() {}

  /**
   * Compiles a library.
   *
   * @param library the file to write; the source, a resource beside this class, has the same name
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
