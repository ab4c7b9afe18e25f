package gilmok;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tier of each test class of a module. It follows from what the class starts: itself, or
 * through the module's other test sources and {@code lab}'s main sources that it uses. Only the
 * code of the sources is read, not their comments and strings.
 */
final class Tiers {
  /** From the quickest to the slowest; a class belongs to the slowest that it needs. */
  enum Tier {
    UNIT,
    SERVER,
    PROCESS,
    ENGINE,
    BROWSER;

    String tag() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Class names by tier: a class that names one of them starts what that tier is called after. */
  private static final Map<Tier, Set<String>> STARTERS =
      Map.of(
          Tier.SERVER,
          Set.of(
              "Server",
              "HttpListener",
              "Listeners",
              "ServerRunner",
              "ServerSocket",
              "ServerSocketChannel",
              "HttpServer",
              "HttpWebhookSender",
              "RedisStandIn",
              "ShadowServer",
              "Vertx",
              "WarmUpRunner"),
          Tier.PROCESS,
          Set.of(
              "BusyNeighbour",
              "PlannerClient",
              "PlannerPool",
              "ProcessBuilder",
              "Starter",
              "WayOutcome"),
          Tier.ENGINE,
          Set.of(
              "KafkaKit",
              "KafkaProcess",
              "MongoServer",
              "MotoServer",
              "Nginx",
              "RedisServer",
              "StandInDatabase"),
          Tier.BROWSER,
          Set.of("Playwright"));

  private static final Pattern TEST = Pattern.compile("\\w+(Test|IT|Fuzz|Race)");
  private static final Pattern HAS_TESTS =
      Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory)\\b|extends \\w+Contract");
  private static final Pattern NOT_CODE =
      Pattern.compile(
          // Most characters begin none of it, and are passed over at once.
          "(?s)(?=[/\"'])(?:/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\""
              + "|'(?:\\\\.[^']*|[^'\\\\])')");
  private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w+");

  private static final Pattern TAG = Pattern.compile("(?m)^@Tag\\(\"(\\w+)\"\\)$");

  private final Map<String, String> texts = new TreeMap<>();
  private final Map<String, Set<String>> words = new TreeMap<>();
  private final Set<String> mainClasses = new HashSet<>();

  /** Reads the sources of a module, {@code server} or {@code lab}. */
  Tiers(String module) throws IOException {
    Path folder = Repository.root().resolve(module);
    read(folder.resolve("src/test/java"));
    if (module.equals("lab")) {
      mainClasses.addAll(read(folder.resolve("src/main/java")));
    }
  }

  private Set<String> read(Path folder) throws IOException {
    Set<String> names = new HashSet<>();
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    for (Path file : files) {
      String name = file.getFileName().toString().replace(".java", "");
      String text = Files.readString(file);
      names.add(name);
      if (TEST.matcher(name).matches() && texts.containsKey(name)) {
        throw new IllegalStateException("two tests are called " + name);
      }
      texts.merge(name, text, String::concat);
      words
          .computeIfAbsent(name, _ -> new HashSet<>())
          .addAll(found(WORD, NOT_CODE.matcher(text).replaceAll(""), 0));
    }
    return names;
  }

  private static Set<String> found(Pattern pattern, String text, int group) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(group))
        .collect(Collectors.toSet());
  }

  /** All classes that have tests. */
  List<String> tests() {
    return texts.keySet().stream()
        .filter(name -> TEST.matcher(name).matches())
        .filter(name -> HAS_TESTS.matcher(texts.getOrDefault(name, "")).find())
        .toList();
  }

  /** The lowest tier in which the class can run. */
  Tier needed(String test) {
    Tier needed = Tier.UNIT;
    Set<String> seen = new HashSet<>(Set.of(test));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      String name = open.pop();
      Set<String> named = words.getOrDefault(name, Set.of());
      for (Map.Entry<Tier, Set<String>> tier : STARTERS.entrySet()) {
        boolean starts = !Collections.disjoint(tier.getValue(), named);
        needed = starts && tier.getKey().compareTo(needed) > 0 ? tier.getKey() : needed;
      }
      // It is not known which part of a main class a test uses, so only what that class starts
      // itself counts.
      Set<String> uses = mainClasses.contains(name) ? Set.of() : named;
      uses.stream()
          .filter(words::containsKey)
          .filter(used -> !TEST.matcher(used).matches())
          .filter(seen::add)
          .forEach(open::push);
    }
    return needed;
  }

  /** The tags of the class itself. */
  Set<String> tags(String test) {
    return found(TAG, texts.getOrDefault(test, ""), 1);
  }
}
