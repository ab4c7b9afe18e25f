package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * The fuzz test that all dialects share. Any bytes must end in events that can be read back, or in
 * rejects that lie within the upload. The result depends neither on where in an array the upload
 * lies nor on what was decoded before. A case that fails becomes a test of its dialect. {@link
 * Seeds} says how many cases there are.
 */
public final class DialectFuzz {
  private static final int CASES = Seeds.share(20_000);

  private DialectFuzz() {}

  /**
   * Runs all cases. A minimum of them must end in events, and another in rejects, or the random
   * uploads would test nothing.
   */
  public static void run(Dialect dialect, Supplier<Dialect> another, Supplier<byte[]> uploads) {
    int events = 0;
    int rejects = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] upload = uploads.get();
      try {
        Decoded decoded = Decoded.anywhere(dialect, i % 100 == 0 ? another.get() : dialect, upload);
        events += decoded.events().size();
        rejects += decoded.rejects().size();
      } catch (AssertionError | RuntimeException e) {
        throw Seeds.failed("case " + i + ": " + HexFormat.of().formatHex(upload), e);
      }
    }
    System.out.println(dialect.label() + ": " + events + " events, " + rejects + " rejects");
    assertThat(events).isGreaterThan(CASES / 10);
    assertThat(rejects).isGreaterThan(CASES / 100);
  }
}
