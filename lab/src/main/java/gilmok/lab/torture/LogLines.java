package gilmok.lab.torture;

import gilmok.lab.crash.LogCheck;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds what {@code gilmok log cat} prints against the journal: the book's records by its own
 * check, all others by their ids, deliveries by their events. Not thread-safe.
 */
final class LogLines {
  private static final String BOOK = "rider-";

  private final Journal journal;
  private final LogCheck check;
  private final Map<String, Integer> extras = new HashMap<>();
  private final Set<String> events = new HashSet<>();
  private final Map<String, Set<String>> recordIds = new TreeMap<>();

  LogLines(Journal journal) {
    this.journal = journal;
    this.check = new LogCheck(journal.book(), journal.findings());
  }

  /** One line of the log, in its order. */
  void line(String text) {
    JsonNode line;
    try {
      line = JsonMapper.shared().readTree(text);
    } catch (JacksonException unreadable) {
      journal.findings().add("a line of the log that cannot be read: " + text);
      return;
    }
    String stream = line.path("stream").asString("");
    String recordId = line.path("recordId").asString("");
    if (!recordIds.computeIfAbsent(stream, _ -> new HashSet<>()).add(recordId)) {
      journal.findings().add("a record id comes twice: " + text);
    }
    JsonNode record = line.path("record");
    if (stream.equals("deliveries")) {
      events.add(record.path("id").asString(""));
    } else if (record.path("riderId").asString("").startsWith(BOOK)) {
      check.line(text);
    } else if (!stream.equals("quarantine")) {
      extras.merge(record.path("id").asString(""), 1, Integer::sum);
    }
  }

  /** After the last line. */
  void end() {
    check.end();
    Map<String, Boolean> sent = journal.extras().all();
    sent.forEach(
        (id, isAcknowledged) -> {
          int found = extras.getOrDefault(id, 0);
          if (found > 1) {
            journal.findings().add("stored " + found + " times: " + id);
          } else if (found == 0 && isAcknowledged) {
            journal.findings().add("acknowledged and lost: " + id);
          }
        });
    for (String id : extras.keySet()) {
      if (!sent.containsKey(id)) {
        journal.findings().add("never sent, and in the log: " + id);
      }
    }
    for (Order order : journal.orders()) {
      for (int sequence = 1; sequence <= order.version(); sequence++) {
        if (!events.contains(order.id() + ":" + sequence)) {
          journal.findings().add("not in the log: event " + sequence + " of delivery " + order);
          break;
        }
      }
    }
  }

  /** The record ids that are there, by stream. */
  Map<String, Set<String>> recordIds() {
    return recordIds;
  }

  /** How many records there are. */
  long size() {
    return recordIds.values().stream().mapToLong(Set::size).sum();
  }
}
