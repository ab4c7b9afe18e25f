package gilmok.lab.start;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The Java options that the launcher uses for {@code serve}. They are read from the launcher
 * itself: it is run with a fake java that prints its arguments. Stateless.
 */
public final class LauncherOptions {
  /** The options if the launcher's cannot be read. */
  static final List<String> USUAL =
      List.of(
          "-Xmx512m",
          "-XX:+UseTransparentHugePages",
          "-XX:+ExitOnOutOfMemoryError",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseG1GC");

  private LauncherOptions() {}

  /**
   * Runs the launcher and reads its options.
   *
   * @param root the root of the repository
   * @param work the folder for the fake java
   * @param arguments the arguments of {@code serve}, as far as they affect the options
   */
  public static List<String> of(Path root, Path work, String... arguments) throws IOException {
    Path home = work.resolve("speaking-java");
    Path bin = Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + Runtime.version() + "\"\n");
    Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    if (!java.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + java + " executable");
    }
    // A copy beside an empty jar has nothing to build; with --help it is harmless if it finds a
    // real java.
    Path launcherCopy = work.resolve("speaking").resolve("gilmok");
    Path jar = launcherCopy.resolveSibling("server/target/gilmok-all.jar");
    Files.createDirectories(jar.getParent());
    Files.writeString(jar, "");
    Files.copy(root.resolve("gilmok"), launcherCopy, StandardCopyOption.COPY_ATTRIBUTES);
    List<String> command = new ArrayList<>(List.of(launcherCopy.toString(), "serve"));
    command.addAll(List.of(arguments));
    command.add("--help");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", home.toString());
    Process launcher = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader said = launcher.inputReader()) {
      return read(said.lines().toList());
    } finally {
      launcher.destroy();
    }
  }

  /**
   * The same, with the AOT cache of the jar, if there is one.
   *
   * @param root the root of the repository
   * @param jar the server's
   * @param work the folder for the fake java
   * @param arguments the arguments of {@code serve}, as far as they affect the options
   */
  public static List<String> withCache(Path root, Path jar, Path work, String... arguments)
      throws IOException {
    List<String> options = new ArrayList<>(of(root, work, arguments));
    Path cache = jar.resolveSibling("gilmok.aot");
    boolean isOfTheJar =
        Files.exists(cache)
            && Files.getLastModifiedTime(cache).compareTo(Files.getLastModifiedTime(jar)) > 0;
    if (isOfTheJar) {
      options.add("-XX:AOTCache=" + cache);
    }
    return List.copyOf(options);
  }

  /** The options before the jar, without an AOT cache; {@link #USUAL} if there is no jar. */
  static List<String> read(List<String> arguments) {
    int jar = arguments.indexOf("-jar");
    if (jar < 0) {
      return USUAL;
    }
    List<String> options = new ArrayList<>(arguments.subList(0, jar));
    options.removeIf(option -> option.startsWith("-XX:AOT"));
    return List.copyOf(options);
  }
}
