package gilmok.cli;

import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeySecret;
import gilmok.auth.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file of keys that were made elsewhere: a JSON object a line, or CSV whose first line has the
 * names. All of it is read before any key is brought, so that a wrong line changes nothing. Not
 * thread-safe.
 */
final class KeysImport {
  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "key",
          "sha256",
          "bcrypt",
          "prefix",
          "scopes",
          "rider",
          "shop",
          "agency",
          "expiresAt",
          "rate");
  private static final int SHOWN_MAX = 20;

  private final Instant now;
  private final List<KeyRequest> requests = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  private KeysImport(Instant now) {
    this.now = now;
  }

  /**
   * Reads a file.
   *
   * @throws CommandFailure naming the wrong lines and their fields
   */
  static List<KeyRequest> read(Path file, Instant now) throws IOException {
    KeysImport read = new KeysImport(now);
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      reader.mark(1 << 16);
      int first = reader.read();
      reader.reset();
      if (first == '{') {
        read.json(reader);
      } else {
        read.csv(reader);
      }
    }
    if (!read.problems.isEmpty()) {
      int more = read.problems.size() - SHOWN_MAX;
      throw new CommandFailure(
          file
              + ": no key was brought, as it has faults:\n  "
              + String.join("\n  ", read.problems.subList(0, Math.min(SHOWN_MAX, SHOWN_MAX + more)))
              + (more > 0 ? "\n  and " + more + " more" : ""));
    }
    return read.requests;
  }

  private void json(BufferedReader reader) throws IOException {
    int line = 0;
    for (String text = reader.readLine(); text != null; text = reader.readLine()) {
      line++;
      if (text.isBlank()) {
        continue;
      }
      try {
        Map<String, String> values = new HashMap<>();
        for (Map.Entry<String, JsonNode> one : JsonMapper.shared().readTree(text).properties()) {
          JsonNode value = one.getValue();
          if (!value.isNull()) {
            values.put(
                one.getKey(),
                value.isArray()
                    ? String.join(
                        " ", value.valueStream().map(scope -> scope.asString("")).toList())
                    : value.asString(""));
          }
        }
        add(line, values);
      } catch (JacksonException broken) {
        problems.add("line " + line + ": is no JSON object");
      }
    }
  }

  private void csv(BufferedReader reader) throws IOException {
    CsvRows rows = new CsvRows(reader);
    List<String> names = rows.next();
    if (names == null) {
      throw new CommandFailure("the file is empty");
    }
    for (List<String> row = rows.next(); row != null; row = rows.next()) {
      Map<String, String> values = new HashMap<>();
      for (int i = 0; i < Math.min(names.size(), row.size()); i++) {
        if (!row.get(i).isEmpty()) {
          values.put(names.get(i).strip(), row.get(i));
        }
      }
      if (row.size() > names.size()) {
        problems.add("line " + rows.rowLine() + ": has more values than the first line has names");
      } else {
        add(rows.rowLine(), values);
      }
    }
  }

  private void add(long line, Map<String, String> values) {
    String at = "line " + line + ": ";
    int before = problems.size();
    for (String field : values.keySet()) {
      if (!FIELDS.contains(field)) {
        problems.add(at + field + ": is not a field of a key");
      }
    }
    KeySecret secret = null;
    switch (KeySecret.brought(
        values.get("key"), values.get("sha256"), values.get("bcrypt"), values.get("prefix"))) {
      case KeySecret.Brought.Good good -> secret = good.secret();
      case KeySecret.Brought.Wrong wrong ->
          problems.add(at + wrong.field() + ": " + wrong.reason());
    }
    String name = values.getOrDefault("name", values.getOrDefault("rider", ""));
    if (name.isBlank()) {
      problems.add(at + "name: is missing");
    }
    Set<Scope> scopes = scopes(at, values.getOrDefault("scopes", "collect"));
    Binding binding = null;
    for (Binding.Kind kind : Binding.Kind.values()) {
      String id = values.get(kind.label());
      if (id != null && binding != null) {
        problems.add(at + kind.label() + ": only one of rider, shop and agency can be given");
      }
      binding = id == null ? binding : new Binding(kind, id);
    }
    Duration expiresIn = expiresIn(at, values.get("expiresAt"));
    Integer rate = rate(at, values.get("rate"));
    if (problems.size() == before) {
      requests.add(new KeyRequest(name, scopes, binding, expiresIn, rate, secret));
    }
  }

  private Set<Scope> scopes(String at, String listed) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String label : listed.split("[ ,;]+")) {
      Scope scope =
          Arrays.stream(Scope.values())
              .filter(one -> one.label().equals(label))
              .findAny()
              .orElse(null);
      if (scope == null) {
        problems.add(at + "scopes: " + label + " is none of collect, read, operate, admin");
      } else {
        scopes.add(scope);
      }
    }
    return scopes;
  }

  private @Nullable Duration expiresIn(String at, @Nullable String expiresAt) {
    if (expiresAt == null) {
      return null;
    }
    try {
      Duration left = Duration.between(now, Instant.parse(expiresAt));
      if (left.compareTo(Duration.ofSeconds(1)) < 0) {
        problems.add(at + "expiresAt: is over");
      }
      return left;
    } catch (DateTimeException wrong) {
      problems.add(at + "expiresAt: is no time, as 2027-01-31T00:00:00Z is");
      return null;
    }
  }

  private @Nullable Integer rate(String at, @Nullable String rate) {
    if (rate == null) {
      return null;
    }
    if (!rate.matches("[1-9]\\d{0,6}")) {
      problems.add(at + "rate: is no number of requests a second");
      return null;
    }
    return Integer.valueOf(rate);
  }
}
