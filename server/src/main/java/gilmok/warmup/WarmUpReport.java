package gilmok.warmup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of a warm-up, or has so far.
 *
 * @param took from its beginning to its end
 * @param curve how fast answers came, window by window
 * @param surprises what was not answered as its script says; each once
 */
public record WarmUpReport(
    Verdict verdict, Duration took, List<WarmUpWindow> curve, List<String> surprises) {
  /** Of a server that was told not to warm up. */
  public static final WarmUpReport SKIPPED =
      new WarmUpReport(Verdict.SKIPPED, Duration.ZERO, List.of(), List.of());

  /** Of one that is about to begin. */
  public static final WarmUpReport BEGINNING =
      new WarmUpReport(Verdict.WARMING, Duration.ZERO, List.of(), List.of());

  public WarmUpReport {
    curve = List.copyOf(curve);
    surprises = List.copyOf(surprises);
  }

  /** How it ended. */
  public enum Verdict {
    /** It has not ended. */
    WARMING,
    /** Answers came no faster, and the compiler was quiet. */
    STEADY,
    /** It was still getting faster when its time was over. */
    LIMIT,
    /** It could not be done; the first surprise says why. */
    FAILED,
    /** It was told not to begin. */
    SKIPPED
  }

  /** The same with more surprises, which come first. */
  public WarmUpReport with(List<String> more) {
    List<String> all = new ArrayList<>(more);
    all.addAll(surprises);
    return new WarmUpReport(verdict, took, curve, all);
  }

  /** Everything that was asked. */
  public long requests() {
    return curve.stream().mapToLong(WarmUpWindow::requests).sum();
  }

  /** How long the compiler's threads worked. */
  public double compilerMillis() {
    return curve.stream().mapToDouble(WarmUpWindow::compilerMillis).sum();
  }

  /** How long the container's limit held the process up. */
  public double throttledMillis() {
    return curve.stream().mapToDouble(WarmUpWindow::throttledMillis).sum();
  }

  /** Requests a second at the end of what was asked; 0 before the first window. */
  public double rate() {
    return curve.reversed().stream()
        .filter(window -> window.phase() != WarmUpWindow.Phase.SETTLING)
        .mapToDouble(WarmUpWindow::rate)
        .findFirst()
        .orElse(0);
  }
}
