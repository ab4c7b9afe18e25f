package gilmok.collect.format;

import gilmok.Repository;
import gilmok.collect.dialect.Decoded;
import gilmok.collect.dialect.Upload;
import gilmok.collect.json.RecordRule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Declarations for tests: the examples of the documentation, and those of a test itself. */
final class Declared {
  private Declared() {}

  /** An example of {@code docs/formats}. */
  static Format example(String name) {
    Path file = Repository.root().resolve("docs/formats").resolve(name + ".yaml");
    List<String> problems = new ArrayList<>();
    Format format = FormatFiles.read(file, problems);
    if (format == null) {
      throw new AssertionError(file + ": " + problems);
    }
    return format;
  }

  /** A sound declaration. */
  static Format of(String yaml) {
    FormatParser parser = new FormatParser("app");
    Format format = parser.parse(tree(yaml));
    if (format == null) {
      throw new AssertionError(parser.problems());
    }
    return format;
  }

  /** What is wrong with a declaration. */
  static List<String> problems(String yaml) {
    FormatParser parser = new FormatParser("app");
    Format _ = parser.parse(tree(yaml));
    return parser.problems();
  }

  private static Map<?, ?> tree(String yaml) {
    return (Map<?, ?>)
        Objects.requireNonNull(
            new Load(LoadSettings.builder().build()).loadFromString(yaml.replace('\'', '"')));
  }

  /** Decodes a body that nothing stands beside. */
  static Decoded decode(Format format, String body) {
    return decode(format, Map.of(), body);
  }

  /**
   * Decodes a body.
   *
   * @param beside values of headers, of the query and of the path, by their labels
   */
  static Decoded decode(Format format, Map<String, String> beside, String body) {
    return decode(format, beside, body, null);
  }

  /** Decodes a body whose sender's key is bound to that rider. */
  static Decoded decode(
      Format format, Map<String, String> beside, String body, @Nullable String bound) {
    FormatDecoder decoder = new FormatDecoder(format);
    byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    decoder.begin(source -> beside.get(source.label()), RecordRule.NONE);
    return Decoded.of(
        decoder, new Upload(bytes, 0, bytes.length, null, bound, Decoded.NOW), device -> device);
  }
}
