package gilmok.warmup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of a warm-up, or its state so far. Immutable.
 *
 * @param took from its beginning to its end
 * @param curve its windows, in order
 * @param surprises responses that differed from the script; each once
 */
public record WarmUpReport(
    Verdict verdict, Duration took, List<WarmUpWindow> curve, List<String> surprises) {
  /** The report of a server without a warm-up. */
  public static final WarmUpReport SKIPPED =
      new WarmUpReport(Verdict.SKIPPED, Duration.ZERO, List.of(), List.of());

  /** The report before the first window. */
  public static final WarmUpReport BEGINNING =
      new WarmUpReport(Verdict.WARMING, Duration.ZERO, List.of(), List.of());

  public WarmUpReport {
    curve = List.copyOf(curve);
    surprises = List.copyOf(surprises);
  }

  /** How it ended. */
  public enum Verdict {
    /** It is still running. */
    WARMING,
    /** Responses got no faster, and the compiler was idle. */
    STEADY,
    /** Responses were still getting faster at the time limit. */
    LIMIT,
    /** It failed; the first surprise says why. */
    FAILED,
    /** It was switched off. */
    SKIPPED
  }

  /** The same report with more surprises in front. */
  public WarmUpReport with(List<String> more) {
    List<String> all = new ArrayList<>(more);
    all.addAll(surprises);
    return new WarmUpReport(verdict, took, curve, all);
  }

  /** How many requests were answered. */
  public long requests() {
    return curve.stream().mapToLong(WarmUpWindow::requests).sum();
  }

  /** How long the compiler's threads worked. */
  public double compilerMillis() {
    return curve.stream().mapToDouble(WarmUpWindow::compilerMillis).sum();
  }

  /** How long the container's CPU limit held the process up. */
  public double throttledMillis() {
    return curve.stream().mapToDouble(WarmUpWindow::throttledMillis).sum();
  }

  /** Requests a second at the end of the load; 0 before the first window. */
  public double rate() {
    return curve.reversed().stream()
        .filter(window -> window.phase() != WarmUpWindow.Phase.SETTLING)
        .mapToDouble(WarmUpWindow::rate)
        .findFirst()
        .orElse(0);
  }

  /** How far it is, in a line that changes on a terminal. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "warming up: %.0f s, %,d requests, %,.0f a second (--no-warmup: ready at once, but slow)",
        took.toMillis() / 1e3,
        requests(),
        rate());
  }
}
