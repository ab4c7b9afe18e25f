package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;

/**
 * Random uploads for the fuzzers of JSON dialects: recorded bodies with some values exchanged and
 * some bytes damaged. The same seed makes the same uploads ({@link Seeds}).
 */
public final class JsonUploads {
  private static final int CASES = Seeds.share(30_000);
  private static final JsonMapper JACKSON = JsonMapper.builder().build();
  private static final String[] VALUES = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "-1.0",
    "90.0000001",
    "1e400",
    "1e-400",
    "123456789012345678901234567890",
    "1772355605",
    "1772355605123",
    "\"\"",
    "\" \"",
    "\"x\"",
    "\"-1\"",
    "\"37.5\"",
    "\"2026-03-01T09:00:00-0700\"",
    "\"2026-03-01 09:00:00\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "\"location\"",
    "\"owntracks/a/b/event\"",
    "\"" + "길".repeat(200) + "\"",
    "\"" + "x".repeat(20_000) + "\"",
    "{}",
    "[]",
    "[[]]",
    "[1,2]",
    "{\"coords\":{}}",
    "{\"device_id\":\"other\"}",
    "{\"" + "n\":1,\"".repeat(3) + "m\":{}}",
    "[".repeat(33) + "]".repeat(33)
  };

  private final Random random;
  private final List<String> bodies;

  private JsonUploads(long seed, List<String> bodies) {
    random = new Random(seed);
    this.bodies = bodies;
  }

  /**
   * Decodes as many uploads as the other fuzzers do. Jackson, too, must read every event as JSON.
   */
  public static void run(Dialect dialect, List<String> bodies) {
    JsonUploads uploads = new JsonUploads(Seeds.first(), bodies);
    int events = 0;
    int rejects = 0;
    for (int i = 0; i < CASES; i++) {
      Upload upload = uploads.next();
      try {
        Decoded decoded = Decoded.of(dialect, upload, device -> device);
        for (String event : decoded.events()) {
          JACKSON.readTree(event);
        }
        events += decoded.events().size();
        rejects += decoded.rejects().size();
      } catch (AssertionError | RuntimeException e) {
        throw Seeds.failed("case " + i + ": " + HexFormat.of().formatHex(upload.bytes()), e);
      }
    }
    System.out.println(dialect.label() + ": " + events + " events, " + rejects + " rejects");
    assertThat(events).isPositive();
    assertThat(rejects).isPositive();
  }

  private Upload next() {
    String body = bodies.get(random.nextInt(bodies.size()));
    for (int i = random.nextInt(5); i > 0; i--) {
      body = exchanged(body);
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(6) - 3; i > 0 && bytes.length > 0; i--) {
      bytes = damaged(bytes);
    }
    byte[] around = new byte[bytes.length + 9];
    System.arraycopy(bytes, 0, around, 5, bytes.length);
    String device = random.nextBoolean() ? null : "device";
    String user = random.nextBoolean() ? null : "User";
    return new Upload(around, 5, bytes.length, user, device, Decoded.NOW);
  }

  /** Replaces one value or one name by another. */
  private String exchanged(String body) {
    int from = random.nextInt(body.length() + 1);
    while (from < body.length() && ":[,{".indexOf(body.charAt(from)) < 0) {
      from++;
    }
    from = Math.min(from + 1, body.length());
    int to = from;
    int depth = 0;
    while (to < body.length() && (depth > 0 || ",]}:".indexOf(body.charAt(to)) < 0)) {
      char c = body.charAt(to);
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      to++;
    }
    return body.substring(0, from) + VALUES[random.nextInt(VALUES.length)] + body.substring(to);
  }

  private byte[] damaged(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    int rest = at;
    switch (random.nextInt(5)) {
      case 0 -> rest = at + 1;
      case 1 -> out.write(random.nextInt(256));
      case 2 -> {
        out.write(bytes[at] ^ 1 << random.nextInt(8));
        rest = at + 1;
      }
      case 3 -> rest = Math.min(bytes.length, at + random.nextInt(40));
      default -> rest = Math.max(0, at - random.nextInt(40));
    }
    out.write(bytes, rest, bytes.length - rest);
    return out.toByteArray();
  }
}
