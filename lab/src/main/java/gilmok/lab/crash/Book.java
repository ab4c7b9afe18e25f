package gilmok.lab.crash;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/**
 * All records that the rig has sent, and the server's responses to them. A record that may or may
 * not have been stored is sent by only one writer at a time. Thread-safe by one lock.
 */
public final class Book {
  private final List<Entry> entries = new ArrayList<>();
  private final List<Entry> acknowledged = new ArrayList<>();

  /** Records that were made but not sent yet, by stream. */
  private final Map<String, ArrayDeque<Entry>> spare = new HashMap<>();

  private final Violations violations;
  private final long firstAtMillis;
  private String node = "";
  private long duplicates;

  /**
   * An empty book.
   *
   * @param firstAtMillis the time of its first record; each further one is a millisecond later
   */
  public Book(Violations violations, long firstAtMillis) {
    this.violations = violations;
    this.firstAtMillis = firstAtMillis;
  }

  /** Makes new records of one stream. */
  public synchronized List<Entry> fresh(String stream, int count) {
    ArrayDeque<Entry> own = spare.computeIfAbsent(stream, name -> new ArrayDeque<>());
    while (own.size() < count) {
      Entry entry = new Entry(entries.size(), firstAtMillis + entries.size());
      entries.add(entry);
      spare.computeIfAbsent(entry.stream(), name -> new ArrayDeque<>()).add(entry);
    }
    List<Entry> made = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      made.add(own.remove());
    }
    return made;
  }

  /** Some acknowledged records of a stream, without duplicates; may be fewer than asked for. */
  public synchronized List<Entry> acknowledged(String stream, int count, RandomGenerator random) {
    List<Entry> chosen = new ArrayList<>();
    for (int i = 0; i < 4 * count && chosen.size() < count && !acknowledged.isEmpty(); i++) {
      Entry entry = acknowledged.get(random.nextInt(acknowledged.size()));
      if (entry.stream().equals(stream) && !chosen.contains(entry)) {
        chosen.add(entry);
      }
    }
    return chosen;
  }

  /**
   * All records of a stream without an acknowledgement, including those never sent. To be called
   * only while no writer sends.
   */
  public synchronized List<Entry> unacknowledged(String stream) {
    spare.clear();
    return entries.stream()
        .filter(entry -> !entry.acknowledged() && entry.stream().equals(stream))
        .toList();
  }

  /**
   * Records a response, and reports what is wrong with it.
   *
   * @param letter the request
   * @param answer the body of the 202
   */
  public synchronized void answered(Letter letter, JsonNode answer) {
    int accepted = answer.path("accepted").asInt(-1);
    int repeated = answer.path("duplicates").asInt(-1);
    List<Entry> items = letter.items();
    duplicates += repeated;
    if (accepted + repeated != items.size() || !answer.path("quarantined").isEmpty()) {
      violations.add("not all of " + items.size() + " accounted for: " + answer);
      return;
    }
    if (repeated < letter.known() || accepted < letter.fresh()) {
      violations.add(
          String.format(
              "%d known and %d new records were answered with %s",
              letter.known(), letter.fresh(), answer));
      return;
    }
    JsonNode receipt = answer.path("receipt");
    if (accepted == 0) {
      items.forEach(this::repeated);
      if (!receipt.isNull()) {
        violations.add("a receipt for nothing: " + answer);
      }
      return;
    }
    place(letter, accepted, receipt);
  }

  private void place(Letter letter, int accepted, JsonNode receipt) {
    long first = receipt.path("first").asLong(-1);
    long last = receipt.path("last").asLong(-1);
    String from = receipt.path("node").asString("");
    if (first < 0 || last - first + 1 != accepted || from.isEmpty()) {
      violations.add(accepted + " records, but the receipt is " + receipt);
      return;
    }
    if (!node.isEmpty() && !node.equals(from)) {
      violations.add("the node was " + node + " and is now " + from);
    }
    node = from;
    boolean told = letter.maybe() == 0 || accepted == letter.items().size();
    long sequence = first;
    for (Entry entry : letter.items()) {
      if (letter.wasKnown(entry) || !told) {
        repeated(entry);
      } else {
        entry.stored(sequence++);
        acknowledged.add(entry);
      }
    }
  }

  private void repeated(Entry entry) {
    if (!entry.acknowledged()) {
      entry.stored(Entry.SOMEWHERE);
      acknowledged.add(entry);
    }
  }

  /** The number of the record with a time; a number outside of the book if there is none. */
  long numberAt(Instant at) {
    return at.toEpochMilli() - firstAtMillis;
  }

  /** Every record, by number. */
  public synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** How many records were made. */
  public synchronized int size() {
    return entries.size();
  }

  /** How many records were acknowledged. */
  public synchronized int acknowledgedCount() {
    return acknowledged.size();
  }

  synchronized long duplicates() {
    return duplicates;
  }

  /** The node id in the receipts; empty before the first. */
  public synchronized String node() {
    return node;
  }
}
