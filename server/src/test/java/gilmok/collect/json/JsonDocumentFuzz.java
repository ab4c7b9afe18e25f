package gilmok.collect.json;

import gilmok.Seeds;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Reads random texts as a document and with Jackson; {@link Seeds} says how many. A case that fails
 * becomes a test in {@link JsonDocumentTest}.
 */
@Tag("unit")
@Tag("soak")
class JsonDocumentFuzz {
  private static final int CASES = Seeds.share(50_000);

  @Test
  void read_randomTexts_sameAsJackson() {
    Bodies bodies = new Bodies(Seeds.first());
    DocumentComparison comparison = new DocumentComparison();
    int read = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] body = bodies.next(bodies.kind());
      try {
        read += comparison.check(body) ? 1 : 0;
      } catch (AssertionError | RuntimeException e) {
        throw Seeds.failed("case " + i + ": " + HexFormat.of().formatHex(body), e);
      }
    }
    System.out.println(read + " read, " + (CASES - read) + " refused");
  }
}
