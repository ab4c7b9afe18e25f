package gilmok.lab.torture;

import gilmok.lab.crash.Entry;
import gilmok.lab.crash.LogCheck;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds what {@code gilmok log cat} prints against the journal: the book's records by its own
 * check, all others by their ids, deliveries by their events. What the log has let go of, as every
 * sink has it, is read from the files that were shipped. Not thread-safe.
 */
final class LogLines {
  private static final String BOOK = "rider-";

  private final Journal journal;
  private final LogCheck check;
  private final LongPredicate isElsewhere;
  private final Map<String, Integer> extras = new HashMap<>();
  private final Map<String, Integer> events = new HashMap<>();
  private final Map<String, Set<String>> recordIds = new TreeMap<>();

  private final Set<String> poison = new HashSet<>();
  private long first;

  /**
   * @param isElsewhere whether another sink than that of files has the record of a sequence
   */
  LogLines(Journal journal, LongPredicate isElsewhere) {
    this.journal = journal;
    this.isElsewhere = isElsewhere;
    this.check = new LogCheck(journal.book(), journal.findings());
  }

  /** One line that was shipped from before the log's first, in their order, before the log's. */
  void letGo(String text) {
    take(text);
  }

  /** One line of the log, in its order. */
  void line(String text) {
    JsonNode line = take(text);
    if (first == 0) {
      first = line.path("sequence").asLong(1);
    }
  }

  private JsonNode take(String text) {
    JsonNode line;
    try {
      line = JsonMapper.shared().readTree(text);
    } catch (JacksonException unreadable) {
      journal.findings().add("a line of the log that cannot be read: " + text);
      return JsonMapper.shared().createObjectNode();
    }
    String stream = line.path("stream").asString("");
    String recordId = line.path("recordId").asString("");
    if (!recordIds.computeIfAbsent(stream, _ -> new HashSet<>()).add(recordId)) {
      journal.findings().add("a record id comes twice: " + text);
    }
    if (text.contains(PoisonLane.MARK)) {
      // Also what was set aside, and says of which record.
      poison.add(recordId);
    }
    JsonNode record = line.path("record");
    if (stream.equals("deliveries")) {
      events.merge(record.path("id").asString(""), 1, Integer::sum);
    } else if (record.path("riderId").asString("").startsWith(BOOK)) {
      check.line(text);
    } else if (!stream.equals("quarantine")) {
      extras.merge(record.path("id").asString(""), 1, Integer::sum);
    }
    return line;
  }

  /** After the last line. */
  void end() {
    check.end(first, this::isShipped);
    Map<String, Boolean> sent = journal.extras().all();
    sent.forEach(
        (id, isAcknowledged) -> {
          int found = extras.getOrDefault(id, 0);
          if (found > 1) {
            journal.findings().add("stored " + found + " times: " + id);
          } else if (found == 0 && isAcknowledged) {
            journal.findings().add("acknowledged and lost" + orLetGo() + ": " + id);
          }
        });
    for (String id : extras.keySet()) {
      if (!sent.containsKey(id)) {
        journal.findings().add("never sent, and in the log: " + id);
      }
    }
    events.forEach(
        (id, found) -> {
          if (found > 1) {
            journal.findings().add("stored " + found + " times: event " + id);
          }
        });
    for (Order order : journal.orders()) {
      for (int sequence = 1; sequence <= order.version(); sequence++) {
        if (!events.containsKey(order.id() + ":" + sequence)) {
          journal
              .findings()
              .add("not in the log" + orLetGo() + ": event " + sequence + " of delivery " + order);
          break;
        }
      }
    }
  }

  /** Of one that is in no line; it counts as one that was there. */
  private boolean isShipped(Entry entry) {
    boolean is = isElsewhere.test(entry.sequence());
    if (is) {
      recordIds
          .computeIfAbsent(entry.stream(), _ -> new HashSet<>())
          .add(journal.book().node() + ":" + entry.sequence());
    }
    return is;
  }

  /** Where it was is not known of those that have no receipt. */
  private String orLetGo() {
    return first > 1 ? ", or let go of and not shipped" : "";
  }

  /** The record ids that are there, or were before they were let go of, by stream. */
  Map<String, Set<String>> recordIds() {
    return recordIds;
  }

  /** The record ids of those that a sink may refuse for good. */
  Set<String> poison() {
    return poison;
  }

  /** The sequence the log begins with; 0 when it has no record. */
  long first() {
    return first;
  }

  /** How many records there are, or were before they were let go of. */
  long size() {
    return recordIds.values().stream().mapToLong(Set::size).sum();
  }
}
