package gilmok;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules of our own linter. From a file's path and text it makes a list of faults, one line
 * each.
 */
final class Tidy {
  private static final int LINE_CHARS_MAX = 100;
  private static final int FILE_LINES_MAX = 400;

  /** A call that is banned, the files where it is allowed, and what to do instead. */
  private record Ban(Pattern call, String allowed, String instead) {}

  /**
   * Files that may break a rule until the reason is gone.
   *
   * @param longFiles files of more than 400 lines
   * @param sleepers files that call {@code Thread.sleep}
   */
  record Exceptions(Set<String> longFiles, Set<String> sleepers) {
    boolean allow(String name, String call) {
      return call.startsWith("Thread.sleep") && sleepers.contains(name);
    }
  }

  private static final List<Ban> BANS =
      List.of(
          new Ban(
              Pattern.compile("\\bSystem\\.(out|err)\\b"),
              ".*/gilmok/(cli|process|doctor|lab)/.*|.*/PlannerMain\\.java"
                  + "|.*/src/(test|main/build)/.*",
              "use System.Logger, or a command's own output"),
          new Ban(Pattern.compile("\\.printStackTrace\\("), "", "throw it, or count it and go on"),
          new Ban(
              Pattern.compile("\\bThread\\.sleep\\("),
              ".*/gilmok/lab/.*",
              "await the condition, with a bound"),
          new Ban(
              Pattern.compile("\\bSystem\\.exit\\(|\\.halt\\("),
              ".*/gilmok/(process|lab)/.*",
              "return, and let Main decide"),
          new Ban(
              Pattern.compile("@Disabled\\b"),
              "",
              "mend the test, or take it out with its reason"));

  /** Lines that the formatter cannot break: an address, a single literal, a table's row. */
  private static final Pattern UNBREAKABLE =
      Pattern.compile(".*://.*|\\s*(\\+ )?\".*\"[\\s,;)]*|\\s*\\*\\s*<tr>.*");

  /** A line of Markdown that is one piece of code or one address, apart from the dash of a list. */
  private static final Pattern ONE_WORD = Pattern.compile("\\s*([-*] )?(`[^`]*`|\\S+)\\S*");

  private static final int MARKDOWN_CHARS_MAX = 120;

  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)[^)]*\\)");
  private static final Pattern FOREIGN = Pattern.compile("^(https?:|mailto:|#).*");

  /** Paths that exist on one machine only. */
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.~-])/(?:root|work|workspace|home/\\w+|Users/\\w+)/[\\w.-]+");

  private Tidy() {}

  /** The faults of one file. */
  static List<String> faults(Path root, Path file, String text, Exceptions exceptions) {
    String name = file.toString().replace('\\', '/');
    List<String> faults = new ArrayList<>();
    if (name.endsWith(".java")) {
      java(name, text, exceptions, faults);
    }
    if (name.endsWith(".md")) {
      links(root, file, text, faults);
      markdownLines(name, text, faults);
    }
    machinePaths(name, text, faults);
    return faults;
  }

  /** Faults of packages that have no {@code package-info} with {@code @NullMarked}. */
  static List<String> unmarkedPackages(Map<String, String> mainSources) {
    return mainSources.keySet().stream()
        .map(name -> name.substring(0, name.lastIndexOf('/')))
        .distinct()
        .filter(
            folder ->
                !mainSources
                    .getOrDefault(folder + "/package-info.java", "")
                    .contains("@NullMarked"))
        .map(folder -> folder + ": no package-info.java with @NullMarked")
        .toList();
  }

  private static void java(String name, String text, Exceptions exceptions, List<String> faults) {
    List<String> lines = text.lines().toList();
    if (lines.size() > FILE_LINES_MAX && !exceptions.longFiles().contains(name)) {
      faults.add(name + ": " + lines.size() + " lines; make two files of it");
    }
    boolean inTextBlock = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      inTextBlock ^= line.split("\"{3}", -1).length % 2 == 0;
      String where = name + ":" + (i + 1) + ": ";
      if (line.length() > LINE_CHARS_MAX && !inTextBlock && !UNBREAKABLE.matcher(line).matches()) {
        faults.add(where + line.length() + " characters");
      }
      for (Ban ban : BANS) {
        Matcher call = ban.call().matcher(line);
        if (call.find()
            && !name.matches(ban.allowed())
            && !exceptions.allow(name, call.group())
            && !isProse(line)) {
          faults.add(where + call.group() + " is banned: " + ban.instead());
        }
      }
    }
  }

  private static boolean isProse(String line) {
    String start = line.strip();
    return start.startsWith("*") || start.startsWith("//") || start.startsWith("/*");
  }

  /**
   * Prose is wrapped so that two versions can be read side by side. A table's row, code and an
   * address cannot be wrapped.
   */
  private static void markdownLines(String name, String text, List<String> faults) {
    boolean inCode = false;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      inCode ^= line.strip().startsWith("```");
      if (line.length() > MARKDOWN_CHARS_MAX
          && !inCode
          && !line.startsWith("|")
          && !ONE_WORD.matcher(line).matches()) {
        faults.add(name + ":" + number + ": " + line.length() + " characters; break the line");
      }
    }
  }

  private static void links(Path root, Path file, String text, List<String> faults) {
    Matcher link = LINK.matcher(text);
    while (link.find()) {
      String target = link.group(1).replaceFirst("#.*", "");
      if (target.isEmpty() || FOREIGN.matcher(target).matches()) {
        continue;
      }
      Path place = root.resolve(file).resolveSibling(target).normalize();
      if (!place.startsWith(root) || !Files.exists(place)) {
        faults.add(file + ": dead link: " + link.group(1));
      }
    }
  }

  private static void machinePaths(String name, String text, List<String> faults) {
    Matcher path = MACHINE_PATH.matcher(text);
    while (path.find()) {
      faults.add(name + ": a path of one machine: " + path.group());
    }
  }
}
