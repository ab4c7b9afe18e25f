package gilmok.config;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Packs: jars beside the program's own, each with the client of an engine that only some servers
 * need. The launcher puts all jars of the folder {@code packs}, which is beside the program's jar,
 * on the class path; here the settings say which of them are needed. No state.
 */
public final class Packs {
  /** Which value needs which pack: the one table. */
  private static final List<Need> NEEDS =
      List.of(
          new Need(
              "sinks.enabled",
              "kafka",
              "kafka",
              "org.apache.kafka.clients.producer.KafkaProducer"));

  private static final String FOLDER = "packs";
  private static final String PREFIX = "gilmok-";
  private static final String SUFFIX = ".jar";

  /**
   * A value that needs a pack.
   *
   * @param key the setting
   * @param word one of its words; also the kind that the word begins with, as in {@code kafka-two}
   * @param pack the pack's name; its jar is {@code gilmok-<name>.jar}
   * @param className a class that only the pack has
   */
  record Need(String key, String word, String pack, String className) {}

  private Packs() {}

  /** Notes a problem for each pack that the settings need and that is not there. */
  public static void check(Settings settings) {
    check(settings, NEEDS);
  }

  static void check(Settings settings, List<Need> needs) {
    for (Need need : needs) {
      String value = settings.values().getOrDefault(need.key(), "");
      Arrays.stream(value.split("[,\\s]+"))
          .filter(word -> word.equals(need.word()) || word.startsWith(need.word() + "-"))
          .findFirst()
          .filter(_ -> isAbsent(need.className()))
          .ifPresent(word -> settings.problem(lacking(need, word)));
    }
  }

  private static String lacking(Need need, String word) {
    return "%s: \"%s\" needs the pack %s: put %s into the folder %s beside gilmok-all.jar"
        .formatted(need.key(), word, need.pack(), PREFIX + need.pack() + SUFFIX, FOLDER);
  }

  private static boolean isAbsent(String className) {
    String file = className.replace('.', '/') + ".class";
    return Packs.class.getClassLoader().getResource(file) == null;
  }

  /** The names of the packs that are there. */
  public static List<String> present() {
    return present(System.getProperty("java.class.path"));
  }

  static List<String> present(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator))
        .map(Path::of)
        .filter(jar -> jar.getParent() != null && jar.getParent().endsWith(FOLDER))
        .map(jar -> jar.getFileName().toString())
        .map(name -> name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name)
        .map(name -> name.endsWith(SUFFIX) ? name.substring(0, name.length() - 4) : name)
        .toList();
  }
}
