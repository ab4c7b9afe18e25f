package gilmok.docs;

import gilmok.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The rules for Prometheus in {@code ops/alerts}, one file a subject. */
record AlertRules(List<JsonNode> rules) {
  private static final Pattern METRIC =
      Pattern.compile("\\b(up\\b|(?:gilmok|jvm|process|system)_[a-z0-9_]+)");
  private static final Pattern NAMES = Pattern.compile("__name__=~\"([^\"]+)\"");

  static Path folder() {
    return Repository.root().resolve("ops/alerts");
  }

  /** The files of rules, or those of their tests, by name. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".yml")).sorted().toList();
    }
  }

  static AlertRules all() throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    for (Path file : files(folder())) {
      rules.addAll(of(file).rules);
    }
    return new AlertRules(rules);
  }

  static AlertRules of(Path file) throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    yaml(file).path("groups").forEach(group -> group.path("rules").forEach(rules::add));
    return new AlertRules(rules);
  }

  static JsonNode yaml(Path file) throws IOException {
    Object read = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    return new ObjectMapper().valueToTree(read);
  }

  List<JsonNode> alerts() {
    return rules.stream().filter(rule -> rule.has("alert")).toList();
  }

  List<String> names() {
    return alerts().stream().map(alert -> alert.path("alert").asString()).toList();
  }

  /** The metrics that the rules name, without those that they choose by a pattern. */
  Set<String> metrics() {
    TreeSet<String> metrics = new TreeSet<>();
    for (JsonNode rule : rules) {
      Matcher metric = METRIC.matcher(rule.path("expr").asString());
      while (metric.find()) {
        metrics.add(metric.group());
      }
    }
    return metrics;
  }

  /** Whether a rule asks for a metric, by its name or by a pattern; a histogram by any part. */
  boolean askFor(String metric) {
    return metrics().stream()
            .anyMatch(name -> name.replaceAll("_(bucket|count|sum|max)$", "").equals(metric))
        || metrics().contains(metric)
        || rules.stream()
            .flatMap(rule -> NAMES.matcher(rule.path("expr").asString()).results())
            .anyMatch(names -> metric.matches(names.group(1)));
  }
}
