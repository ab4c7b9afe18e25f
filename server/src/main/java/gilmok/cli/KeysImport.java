package gilmok.cli;

import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeyResult;
import gilmok.auth.KeySecret;
import gilmok.auth.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
 * names, with commas or semicolons. All of it is read before any key is brought, so that a wrong
 * line changes nothing. Not thread-safe.
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
  private static final int BYTES_MAX = 64 << 20;

  /** The fields that say whose a key is. */
  private static final List<String> OWNERS = List.of("rider", "shop", "agency");

  /**
   * A key, and where it is in the file.
   *
   * @param line from 1
   */
  record Row(long line, KeyRequest request) {}

  private final Instant now;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final KeysTogether together = new KeysTogether();

  private KeysImport(Instant now) {
    this.now = now;
  }

  /**
   * Reads a file.
   *
   * @throws CommandFailure naming the wrong lines and their fields
   */
  static List<Row> read(Path file, Instant now) throws IOException {
    KeysImport read = new KeysImport(now);
    String text = text(file);
    BufferedReader reader = new BufferedReader(new StringReader(text));
    if (text.stripLeading().startsWith("{")) {
      read.json(reader);
    } else {
      read.csv(reader, text.lines().filter(line -> !line.isBlank()).findFirst().orElse(""));
    }
    if (!read.problems.isEmpty()) {
      int more = read.problems.size() - SHOWN_MAX;
      throw new CommandFailure(
          file
              + ": no key was brought, as it has faults:\n  "
              + String.join("\n  ", read.problems.subList(0, Math.min(SHOWN_MAX, SHOWN_MAX + more)))
              + (more > 0 ? "\n  and " + more + " more" : ""));
    }
    return read.rows;
  }

  /** The text of a file, without the mark that spreadsheets write at its beginning. */
  private static String text(Path file) throws IOException {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new CommandFailure(file + " cannot be read");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(BYTES_MAX + 1);
    }
    if (bytes.length > BYTES_MAX) {
      throw new CommandFailure(file + " has more than 64 MiB; no file of keys is that long");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.indexOf('\0') < 0) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
      }
    } catch (CharacterCodingException other) {
      // It is said below, as is what has other marks of no text.
    }
    throw new CommandFailure(
        file + " is no text in UTF-8: no key was brought; save it as CSV or JSON in UTF-8");
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
        List<String> names = new ArrayList<>();
        JsonNode object = JsonMapper.shared().readTree(text);
        if (!object.isObject()) {
          problems.add("line " + line + ": is no JSON object");
          continue;
        }
        for (Map.Entry<String, JsonNode> one : object.properties()) {
          JsonNode value = one.getValue();
          names.add(one.getKey());
          if (!value.isNull()) {
            values.put(
                one.getKey(),
                value.isArray()
                    ? String.join(
                        " ", value.valueStream().map(scope -> scope.asString("")).toList())
                    : value.asString(""));
          }
        }
        add(line, values, names);
      } catch (JacksonException broken) {
        problems.add("line " + line + ": is no JSON object");
      }
    }
  }

  /** Reads CSV; where its first line has no comma, a semicolon parts its fields, as in Excel's. */
  private void csv(BufferedReader reader, String first) throws IOException {
    boolean hasSemicolons = first.indexOf(',') < 0 && first.indexOf(';') >= 0;
    CsvRows rows = new CsvRows(reader, hasSemicolons ? ';' : ',');
    List<String> names = rows.nextGood();
    if (names == null) {
      throw new CommandFailure("the file is empty");
    }
    names = names.stream().map(String::strip).toList();
    for (String name : names) {
      if (!FIELDS.contains(name) || Collections.frequency(names, name) > 1) {
        problems.add(
            "line 1: "
                + name
                + (FIELDS.contains(name) ? ": is there twice" : ": is not a field of a key"));
      }
    }
    if (!problems.isEmpty()) {
      return; // each line would have the same fault
    }
    for (List<String> row = rows.nextGood(); row != null; row = rows.nextGood()) {
      Map<String, String> values = new HashMap<>();
      for (int i = 0; i < Math.min(names.size(), row.size()); i++) {
        if (!row.get(i).isEmpty()) {
          values.put(names.get(i), row.get(i));
        }
      }
      if (row.size() > names.size()) {
        problems.add("line " + rows.rowLine() + ": has more values than the first line has names");
      } else {
        add(rows.rowLine(), values, names);
      }
    }
  }

  /**
   * Adds a key, or what is wrong with it.
   *
   * @param names of the fields that it could have, given or not
   */
  private void add(long line, Map<String, String> values, List<String> names) {
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
    String owner = OWNERS.stream().filter(names::contains).findFirst().orElse(null);
    if (owner != null && binding == null) { // not silently a key of the whole fleet
      problems.add(at + owner + ": is empty; keys of the whole fleet go in a file without it");
    }
    Duration expiresIn = expiresIn(at, values.get("expiresAt"));
    Integer rate = rate(at, values.get("rate"));
    if (problems.size() == before) {
      KeyRequest request = new KeyRequest(name, scopes, binding, expiresIn, rate, secret);
      KeyResult.Refused refused = request.problem();
      String other = refused == null ? together.conflict(line, request) : null;
      if (refused != null) {
        problems.add(at + refused.field() + ": " + refused.reason());
      } else if (other != null) {
        problems.add(at + other);
      } else {
        rows.add(new Row(line, request));
      }
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
