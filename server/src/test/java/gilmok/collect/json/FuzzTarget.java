package gilmok.collect.json;

import gilmok.event.EventKind;
import java.util.Arrays;

/**
 * Entry point for the lab's coverage-guided fuzzer, which calls it with arbitrary bytes. The first
 * byte chooses the kind, or, as {@code d}, a document of any shape; the rest are the body. Needs no
 * test library.
 */
public final class FuzzTarget {
  private static final Comparison COMPARISON = new Comparison();

  private static final DocumentComparison DOCUMENT = new DocumentComparison();

  private FuzzTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length > 0 && input[0] == 'd') {
      DOCUMENT.check(Arrays.copyOfRange(input, 1, input.length));
    } else if (input.length > 0) {
      EventKind kind =
          switch (input[0]) {
            case 'a' -> EventKind.ACTION;
            case 'l' -> EventKind.LOG_LINE;
            default -> EventKind.POSITION;
          };
      COMPARISON.check(kind, Arrays.copyOfRange(input, 1, input.length));
    }
  }
}
