package gilmok.lab.crash;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The records of one request, all of one stream, and what was known of them when it was sent.
 *
 * @param items the records, in the body's order
 * @param knownItems those that had been acknowledged: certainly repeats
 * @param maybe how many had been sent before without a response: possibly repeats
 */
public record Letter(List<Entry> items, Set<Entry> knownItems, int maybe) {
  private static final int KNOWN_MAX = 10;

  /** New records, followed by acknowledged ones. */
  public static Letter of(List<Entry> fresh, List<Entry> known) {
    List<Entry> items = new java.util.ArrayList<>(fresh);
    items.addAll(known);
    return new Letter(List.copyOf(items), new HashSet<>(known), 0);
  }

  /**
   * A random request: one record or many, sometimes with acknowledged ones among them, sometimes
   * with nothing else.
   *
   * @param oneIn one request out of this many carries actions
   */
  public static Letter chosen(Book book, RandomGenerator random, int oneIn, int manyMax) {
    String stream = random.nextInt(oneIn) == 0 ? "actions" : "traces";
    int dice = random.nextInt(10);
    List<Entry> known =
        dice >= 8 ? book.acknowledged(stream, 1 + random.nextInt(KNOWN_MAX), random) : List.of();
    if (dice == 9 && !known.isEmpty()) {
      return of(List.of(), known);
    }
    return of(book.fresh(stream, dice < 6 ? 1 : 2 + random.nextInt(manyMax)), known);
  }

  /** Records that were sent before without a response. */
  public static Letter again(List<Entry> unanswered) {
    return new Letter(List.copyOf(unanswered), Set.of(), unanswered.size());
  }

  int known() {
    return knownItems.size();
  }

  int fresh() {
    return items.size() - knownItems.size() - maybe;
  }

  boolean wasKnown(Entry entry) {
    return knownItems.contains(entry);
  }

  /** The stream of all its records. */
  public String stream() {
    return items.getFirst().stream();
  }

  /** The body of the request. */
  public String body() {
    return items.size() == 1
        ? items.getFirst().json()
        : items.stream().map(Entry::json).collect(Collectors.joining(",", "[", "]"));
  }
}
