package gilmok.lab;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A jar that refers to the classes under test and to their libraries, as a build would make it. */
public final class ClassPathJar {
  private ClassPathJar() {}

  /**
   * Writes one.
   *
   * @param name of the file below the folder
   * @param main the class that {@code java -jar} runs
   */
  public static void write(Path folder, String name, String main) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, main);
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" ")));
    Path jar = folder.resolve(name);
    Files.createDirectories(jar.getParent());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream _ = new JarOutputStream(file, manifest)) {}
  }
}
