package gilmok.collect.json;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Random texts through document and Jackson; seed and cases as for {@link JsonDecoderFuzz}. What
 * fails becomes a test in {@link JsonDocumentTest}.
 */
class JsonDocumentFuzz {
  private static final int CASES = Integer.getInteger("gilmok.fuzz.cases", 50_000);
  private static final long SEED = Long.getLong("gilmok.fuzz.seed", 1);

  @Test
  void read_randomTexts_sameAsJackson() {
    Bodies bodies = new Bodies(SEED);
    DocumentComparison comparison = new DocumentComparison();
    int read = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] body = bodies.next(bodies.kind());
      try {
        read += comparison.check(body) ? 1 : 0;
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "case " + i + " of seed " + SEED + ": " + HexFormat.of().formatHex(body), e);
      }
    }
    System.out.println(read + " read, " + (CASES - read) + " refused");
  }
}
