package gilmok.collect.json;

import gilmok.Seeds;
import gilmok.event.EventKind;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Decodes random bodies with the scanner and the oracle; {@link Seeds} says how many. A case that
 * fails becomes a test in {@link JsonDecoderTest}.
 */
@Tag("unit")
@Tag("soak")
class JsonDecoderFuzz {
  private static final int CASES = Seeds.share(200_000);

  @Test
  void decode_randomBodies_sameAsOracle() {
    Bodies bodies = new Bodies(Seeds.first());
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
        String text = new String(body, StandardCharsets.UTF_8);
        String hex = HexFormat.of().formatHex(body);
        throw Seeds.failed("case " + i + ", " + kind + ": " + text + "\n" + hex, e);
      }
    }
    System.out.println(accepted + " accepted, " + rejected + " rejected");
  }
}
