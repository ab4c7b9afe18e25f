package gilmok.collect.format;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.config.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files with the declared formats. Reads them at the start; blocks meanwhile. */
public final class FormatFiles {
  private static final String KEY = "collect.formats";
  private static final String USUAL = "formats";
  private static final int FORMATS_MAX = 100;

  private FormatFiles() {}

  /**
   * Reads the formats that {@code collect.formats} names: files, or folders of files that end in
   * {@code .yaml} or {@code .yml}. Each problem of each file becomes one of the settings.
   */
  public static List<Format> from(Settings settings) {
    String named = settings.text(KEY, USUAL);
    boolean isUsual = named.equals(USUAL);
    List<Path> files = new ArrayList<>();
    for (String one : named.split(",")) {
      Path path = Path.of(one.strip());
      if (isUsual && !Files.isDirectory(path)) {
        continue; // something else that happens to have this name, where the server was started
      }
      try {
        addFiles(path, files);
      } catch (IOException unreadable) {
        settings.problem(KEY + ": " + path + " cannot be read: " + unreadable.getMessage());
      }
      if (!Files.exists(path)) {
        settings.problem(KEY + ": there is no " + path);
      }
    }
    List<Format> formats = new ArrayList<>();
    Map<String, Path> requests = new HashMap<>();
    Map<String, Path> names = new HashMap<>();
    for (Path file : files) {
      List<String> problems = new ArrayList<>();
      Format format = read(file, problems);
      problems.forEach(problem -> settings.problem(file + ": " + problem));
      if (format != null) {
        formats.add(format);
        String request = format.method() + " " + format.path().replaceAll("\\{\\w+}", "{}");
        twice(settings, file, "path: " + request, requests.put(request, file));
        twice(settings, file, "the name " + format.name(), names.put(format.name(), file));
      }
    }
    if (formats.size() > FORMATS_MAX) {
      settings.problem(KEY + ": " + formats.size() + " formats, not up to " + FORMATS_MAX);
    }
    return formats;
  }

  private static void addFiles(Path path, List<Path> files) throws IOException {
    if (Files.isDirectory(path)) {
      try (Stream<Path> inside = Files.list(path)) {
        inside
            .filter(file -> file.toString().endsWith(".yaml") || file.toString().endsWith(".yml"))
            .sorted()
            .forEach(files::add);
      }
    } else if (Files.exists(path)) {
      files.add(path);
    }
  }

  private static void twice(Settings settings, Path file, String what, @Nullable Path other) {
    if (other != null) {
      settings.problem(file + ": " + what + " is that of " + other + ", too");
    }
  }

  /**
   * Reads one file.
   *
   * @param problems takes everything that is wrong with it
   * @return null when something is
   */
  public static @Nullable Format read(Path file, List<String> problems) {
    String name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    try {
      FormatParser parser = new FormatParser(name);
      Format format = parser.parse(YamlFile.read(file, "it"));
      problems.addAll(parser.problems());
      return format;
    } catch (InvalidSettings unreadable) {
      problems.addAll(unreadable.problems());
      return null;
    }
  }
}
