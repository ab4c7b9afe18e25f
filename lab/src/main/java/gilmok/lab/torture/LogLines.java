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
 * Checks the output of {@code gilmok log show} against the journal: the book's records by its own
 * check, all others by their ids, deliveries by their events. Records that were deleted from the
 * log, because every sink had them, are read from the shipped files. Not thread-safe.
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
   * A check that has read nothing yet.
   *
   * @param isElsewhere whether a sink other than files has the record of a sequence
   */
  LogLines(Journal journal, LongPredicate isElsewhere) {
    this.journal = journal;
    this.isElsewhere = isElsewhere;
    this.check = new LogCheck(journal.book(), journal.findings());
  }

  /**
   * Adds a shipped line from before the log's first sequence. These come in order, before the
   * log's.
   */
  void letGo(String text) {
    take(text);
  }

  /** Adds the next line of the log. */
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
      // Including quarantine records, which name the record that was set aside.
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

  /** Ends the log. */
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

  /** Whether a record that is in no line was shipped; it then counts as found. */
  private boolean isShipped(Entry entry) {
    boolean is = isElsewhere.test(entry.sequence());
    if (is) {
      recordIds
          .computeIfAbsent(entry.stream(), _ -> new HashSet<>())
          .add(journal.book().node() + ":" + entry.sequence());
    }
    return is;
  }

  /**
   * A suffix for findings: a record without a receipt may have been deleted without being shipped.
   */
  private String orLetGo() {
    return first > 1 ? ", or let go of and not shipped" : "";
  }

  /** The record ids in the log, including deleted ones, by stream. */
  Map<String, Set<String>> recordIds() {
    return recordIds;
  }

  /** The record ids that a sink may refuse for good. */
  Set<String> poison() {
    return poison;
  }

  /** The log's first sequence; 0 if it is empty. */
  long first() {
    return first;
  }

  /** The number of records, including deleted ones. */
  long size() {
    return recordIds.values().stream().mapToLong(Set::size).sum();
  }
}
