package gilmok.lab.crash;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks the output of {@code gilmok log show} against the book: every acknowledged record is there
 * exactly once, under the sequence of its receipt; every other record at most once; no sequence
 * occurs twice; and no record is there that was never sent. Not thread-safe.
 */
public final class LogCheck {
  private static final double DEGREES_APART_MAX = 1e-6;

  private final Book book;
  private final List<Entry> entries;
  private final String node;
  private final Violations violations;
  private final int[] times;
  private long lastSequence = -1;
  private long lines;

  /** A check against a book that does not change meanwhile. */
  public LogCheck(Book book, Violations violations) {
    this.book = book;
    this.entries = book.entries();
    this.node = book.node();
    this.violations = violations;
    this.times = new int[entries.size()];
  }

  /** Adds the next line of the log. */
  public void line(String text) {
    lines++;
    try {
      check(JsonMapper.shared().readTree(text));
    } catch (JacksonException | DateTimeException e) {
      violations.add("a line that cannot be read: " + text);
    }
  }

  private void check(JsonNode line) {
    long sequence = line.path("sequence").asLong(-1);
    if (sequence <= lastSequence) {
      violations.add("sequence " + sequence + " after " + lastSequence);
    }
    lastSequence = Math.max(lastSequence, sequence);
    if (!line.path("recordId").asString("").equals(node + ":" + sequence)) {
      violations.add("not of node " + node + ": " + line);
    }
    JsonNode record = line.path("record");
    long number = book.numberAt(Instant.parse(record.path("at").asString("")));
    if (number < 0 || number >= times.length) {
      violations.add("never sent: " + line);
      return;
    }
    Entry entry = entries.get((int) number);
    times[(int) number]++;
    if (entry.sequence() >= 0 && entry.sequence() != sequence) {
      violations.add("the receipt of " + entry.json() + " says " + entry.sequence() + ": " + line);
    }
    if (!same(entry, line, record)) {
      violations.add("sent as " + entry.json() + " and stored as " + line);
    }
  }

  private static boolean same(Entry entry, JsonNode line, JsonNode record) {
    return entry.stream().equals(line.path("stream").asString(""))
        && entry.riderId().equals(record.path("riderId").asString(""))
        && Math.abs(entry.lat() - record.path("lat").asDouble(0)) < DEGREES_APART_MAX;
  }

  /** Ends a log from which nothing was deleted: reports records that are missing or duplicated. */
  public void end() {
    end(0, _ -> false);
  }

  /**
   * Ends the log: reports records that are missing or duplicated.
   *
   * @param first the log's first sequence; records before it were deleted
   * @param shipped whether a record that was deleted, and is in no line, was shipped
   */
  public void end(long first, Predicate<Entry> shipped) {
    for (Entry entry : entries) {
      int found = times[entry.number()];
      if (found > 1) {
        violations.add("stored " + found + " times: " + entry.json());
      } else if (found == 0 && entry.sequence() >= 0 && entry.sequence() < first) {
        if (!shipped.test(entry)) {
          violations.add("let go of and not shipped, at " + entry.sequence() + ": " + entry.json());
        }
      } else if (found == 0 && entry.acknowledged()) {
        violations.add("acknowledged at " + entry.sequence() + " and lost: " + entry.json());
      }
    }
  }

  long lines() {
    return lines;
  }

  /** How many different records were found. */
  long found() {
    return Arrays.stream(times).filter(found -> found > 0).count();
  }
}
