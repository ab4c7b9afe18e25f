package gilmok.collect.json;

import gilmok.event.EventKind;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Random bodies through scanner and oracle. {@code -Dgilmok.fuzz.seed} and {@code
 * -Dgilmok.fuzz.cases} choose others; a seed that fails becomes a test in {@link JsonDecoderTest}.
 */
class JsonDecoderFuzz {
  private static final int CASES = Integer.getInteger("gilmok.fuzz.cases", 200_000);
  private static final long SEED = Long.getLong("gilmok.fuzz.seed", 1);

  @Test
  void decode_randomBodies_sameAsOracle() {
    Bodies bodies = new Bodies(SEED);
    Comparison comparison = new Comparison();
    int accepted = 0;
    int rejected = 0;
    for (int i = 0; i < CASES; i++) {
      EventKind kind = bodies.kind();
      byte[] body = bodies.next(kind);
      try {
        var events = comparison.check(kind, body);
        accepted += events.count();
        rejected += events.rejectCount();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "case "
                + i
                + " of seed "
                + SEED
                + ", "
                + kind
                + ": "
                + new String(body, java.nio.charset.StandardCharsets.UTF_8)
                + "\n"
                + HexFormat.of().formatHex(body),
            e);
      }
    }
    System.out.println(accepted + " accepted, " + rejected + " rejected");
  }
}
