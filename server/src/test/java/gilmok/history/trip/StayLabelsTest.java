package gilmok.history.trip;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.history.trip.GeolifeDays.Fix;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The stays that are found in ten days of real fixes, against those that were labelled by eye
 * before there was code to find them ({@code history/README.md} of the tests' resources).
 *
 * <p>First the time that the labeller was unsure of is taken out of both, as it counts neither for
 * nor against. Then a found stay and a labelled one match if what they share is at least half of
 * what both cover (intersection over union), each with at most one other. Precision is the part of
 * the found stays that match, recall that of the labelled ones. The same by seconds: precision is
 * the part of the found time that is labelled, recall the part of the labelled time that is found.
 */
@Tag("unit")
final class StayLabelsTest {
  private static final double OVERLAP_MIN = 0.5;

  /** What remains of a found stay of which nearly all is unsure says nothing. */
  private static final long REST_MIN_SECONDS = 150;

  private record Label(long from, long to, boolean isSure) {}

  @Test
  void stays_ofTenDays_areThoseThatWereLabelled() throws IOException {
    Map<String, List<Fix>> days = GeolifeDays.read();
    Score all = new Score();
    for (Map.Entry<String, List<Label>> day : labels().entrySet()) {
      Score score =
          score(Objects.requireNonNull(days.get(day.getKey())), day.getValue(), TripRules.DEFAULTS);
      System.out.println(day.getKey() + ": " + score);
      all.add(score);
    }
    System.out.println("stays of ten days: " + all);
    assertThat(all.labelled).isEqualTo(71);
    assertThat(all.precision()).as("precision of stays").isGreaterThanOrEqualTo(0.9);
    assertThat(all.recall()).as("recall of stays").isGreaterThanOrEqualTo(0.9);
    assertThat(all.timePrecision()).as("precision by time").isGreaterThanOrEqualTo(0.9);
    assertThat(all.timeRecall()).as("recall by time").isGreaterThanOrEqualTo(0.9);
  }

  private static Score score(List<Fix> fixes, List<Label> labels, TripRules rules) {
    FoundTrips found = new FoundTrips();
    GeolifeDays.send(fixes, new FixFilter(new StayFinder(rules, found)));
    long start = fixes.getFirst().at();
    Set<Long> unsure = new HashSet<>();
    labels.stream()
        .filter(label -> !label.isSure)
        .forEach(label -> unsure.addAll(seconds(label.from, label.to, Set.of())));
    List<Set<Long>> right =
        labels.stream()
            .filter(Label::isSure)
            .map(label -> seconds(label.from, label.to, unsure))
            .toList();
    Score score = new Score();
    Set<Integer> matched = new HashSet<>();
    Set<Long> foundTime = new HashSet<>();
    for (Stay stay : found.stays()) {
      long from = (stay.fromMillis() - start) / 1_000;
      long to = (stay.toMillis() - start) / 1_000;
      Set<Long> seconds = seconds(from, to, unsure);
      foundTime.addAll(seconds);
      if (seconds.size() < REST_MIN_SECONDS) {
        continue;
      }
      score.found++;
      boolean isRight = false;
      for (int i = 0; i < right.size(); i++) {
        if (overlap(seconds, right.get(i)) >= OVERLAP_MIN && matched.add(i)) {
          isRight = true;
        }
      }
      score.right += isRight ? 1 : 0;
      if (!isRight) {
        score.misses.add("found " + from + "-" + to);
      }
    }
    Set<Long> labelledTime = new HashSet<>();
    for (int i = 0; i < right.size(); i++) {
      labelledTime.addAll(right.get(i));
      if (!matched.contains(i)) {
        score.misses.add("labelled " + labels.stream().filter(Label::isSure).toList().get(i));
      }
    }
    score.labelled = right.size();
    score.matched = matched.size();
    score.foundSeconds = foundTime.size();
    score.labelledSeconds = labelledTime.size();
    foundTime.retainAll(labelledTime);
    score.sharedSeconds = foundTime.size();
    return score;
  }

  private static Set<Long> seconds(long from, long to, Set<Long> without) {
    Set<Long> seconds = new HashSet<>();
    for (long second = from; second < to; second++) {
      if (!without.contains(second)) {
        seconds.add(second);
      }
    }
    return seconds;
  }

  private static double overlap(Set<Long> some, Set<Long> others) {
    Set<Long> shared = new HashSet<>(some);
    shared.retainAll(others);
    return shared.size() / (double) (some.size() + others.size() - shared.size());
  }

  private static Map<String, List<Label>> labels() throws IOException {
    Map<String, List<Label>> labels = new TreeMap<>();
    InputStream file = StayLabelsTest.class.getResourceAsStream("/history/stays.csv");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8))) {
      lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split(",");
        labels
            .computeIfAbsent(cells[0] + "," + cells[1], _ -> new ArrayList<>())
            .add(
                new Label(
                    Long.parseLong(cells[2]), Long.parseLong(cells[3]), cells[4].equals("stay")));
      }
    }
    return labels;
  }

  /** The counts of some days. */
  private static final class Score {
    private int found;
    private int right;
    private int labelled;
    private int matched;
    private long foundSeconds;
    private long labelledSeconds;
    private long sharedSeconds;
    private final List<String> misses = new ArrayList<>();

    void add(Score other) {
      found += other.found;
      right += other.right;
      labelled += other.labelled;
      matched += other.matched;
      foundSeconds += other.foundSeconds;
      labelledSeconds += other.labelledSeconds;
      sharedSeconds += other.sharedSeconds;
    }

    double precision() {
      return right / (double) found;
    }

    double recall() {
      return matched / (double) labelled;
    }

    double timePrecision() {
      return sharedSeconds / (double) foundSeconds;
    }

    double timeRecall() {
      return sharedSeconds / (double) labelledSeconds;
    }

    @Override
    public String toString() {
      return "%d of %d found are right (%.3f), %d of %d labelled found (%.3f);"
          .concat(" by time %.3f, %.3f; %s")
          .formatted(
              right,
              found,
              precision(),
              matched,
              labelled,
              recall(),
              timePrecision(),
              timeRecall(),
              misses);
    }
  }
}
