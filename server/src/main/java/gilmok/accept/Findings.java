package gilmok.accept;

import gilmok.doctor.Check;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the trial of one engine found, and how long the engine's answers took. Thread-safe. */
final class Findings {
  /** Of one operation; more are not kept. */
  private static final int TIMES_MAX = 2_000;

  private static final double HALF = 0.5;
  private static final double MOST = 0.99;

  private final String engine;
  private final List<Check> checks = new ArrayList<>();
  private final Map<String, List<Long>> nanos = new LinkedHashMap<>();
  private String step = "begin";

  /** A step of a trial: what it found when all was well. */
  interface Step {
    String run() throws IOException, InterruptedException;
  }

  /** A question to the engine. */
  interface Question<T> {
    T ask() throws IOException, InterruptedException;
  }

  /**
   * How long an operation took.
   *
   * @param times how often it was timed
   */
  record Figure(String operation, int times, long p50Nanos, long p99Nanos, long maxNanos) {}

  Findings(String engine) {
    this.engine = engine;
  }

  String engine() {
    return engine;
  }

  synchronized void add(Check check) {
    checks.add(check);
  }

  /**
   * Takes a step. When it fails, the failure is the finding.
   *
   * @return whether it was well
   */
  boolean step(String what, String advice, Step taken) throws InterruptedException {
    begin(what);
    try {
      add(Check.of(what, taken.run(), true, ""));
      return true;
    } catch (IOException failed) {
      add(Check.of(what, told(failed), false, advice));
      return false;
    }
  }

  /** A failure in words; some of Java's have none. */
  static String told(Exception failed) {
    String message = failed.getMessage();
    return message == null || message.isEmpty() ? failed.getClass().getSimpleName() : message;
  }

  /** Notes what was not tried, and why. */
  void notTried(String what, String why, String advice) {
    add(Check.unknown(what, why, advice));
  }

  /** Names what is being done, for when it never ends. */
  synchronized void begin(String what) {
    step = what;
  }

  synchronized String step() {
    return step;
  }

  /** Fails a step unless what an engine promises is so. */
  static void require(boolean isSo, String otherwise) throws IOException {
    if (!isSo) {
      throw new IOException(otherwise);
    }
  }

  /** Asks, and notes how long the answer took. */
  <T> T time(String operation, Question<T> question) throws IOException, InterruptedException {
    long began = System.nanoTime();
    T answer = question.ask();
    note(operation, System.nanoTime() - began);
    return answer;
  }

  /** Notes how long an operation took. */
  synchronized void note(String operation, long took) {
    List<Long> all = nanos.computeIfAbsent(operation, _ -> new ArrayList<>());
    if (all.size() < TIMES_MAX) {
      all.add(took);
    }
  }

  synchronized List<Check> checks() {
    return List.copyOf(checks);
  }

  synchronized List<Figure> figures() {
    return nanos.entrySet().stream().map(one -> figure(one.getKey(), one.getValue())).toList();
  }

  private static Figure figure(String operation, List<Long> taken) {
    long[] sorted = taken.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return new Figure(
        operation, sorted.length, at(sorted, HALF), at(sorted, MOST), sorted[sorted.length - 1]);
  }

  /** The value that this share of all does not exceed. */
  private static long at(long[] sorted, double share) {
    return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }
}
