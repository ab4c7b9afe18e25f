package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * What the fuzzers of the dialects share: any bytes end in events that read back or in rejects that
 * lie in the upload, the same wherever in an array they stand and whatever was decoded before.
 * {@code -Dgilmok.fuzz.seed} and {@code -Dgilmok.fuzz.cases} choose others; a seed that fails
 * becomes a test of its dialect.
 */
public final class DialectFuzz {
  public static final long SEED = Long.getLong("gilmok.fuzz.seed", 1);
  private static final int CASES = Integer.getInteger("gilmok.fuzz.cases", 20_000);

  private DialectFuzz() {}

  /** Runs all cases; some of them end in events, and some in rejects. */
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
        throw new AssertionError(
            "case " + i + " of seed " + SEED + ": " + HexFormat.of().formatHex(upload), e);
      }
    }
    System.out.println(dialect.label() + ": " + events + " events, " + rejects + " rejects");
    assertThat(events).isGreaterThan(CASES / 10);
    assertThat(rejects).isGreaterThan(CASES / 100);
  }
}
