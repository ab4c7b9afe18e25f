package gilmok.ledger;

import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedView;
import gilmok.http.Answer;
import gilmok.log.DamagedLogException;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of the quarantine, the oldest record first. A page ends at its limit, when it is
 * large, or when it took enough of the log to read; the next page continues there. A damaged part
 * of the log is skipped, up to the next segment, and named. Reads files, so it blocks; thread-safe.
 */
record QuarantinePage(Log log) {
  static final int ITEMS_MAX = 1000;
  static final int ITEMS_USUAL = 100;
  private static final int PAGE_BYTES_MAX = 4 << 20;
  private static final int STRETCH_RECORDS = 100_000;
  private static final long READ_RECORDS_MAX = 2_000_000;
  private static final long READ_BYTES_MAX = 256 << 20;

  /**
   * Reads one page.
   *
   * @param stream only records meant for this stream; null for any
   * @param sink only records that this sink refused; null for any
   * @param from the sequence to begin with
   */
  Answer read(@Nullable String stream, @Nullable String sink, int limit, long from)
      throws IOException {
    Page page = new Page(stream, sink, limit);
    long durable = log.durable();
    long next = log.firstOf(Stream.QUARANTINE, Math.max(1, from));
    while (next <= durable && !page.isFull()) {
      next = page.read(log, next, durable);
      if (next <= durable) {
        next = log.firstOf(Stream.QUARANTINE, next);
      }
    }
    return page.end(next <= durable ? Long.toString(next) : null);
  }

  /** A page while it is read. */
  private static final class Page {
    private final QuarantinedView view = new QuarantinedView();
    private final JsonBuffer out = new JsonBuffer();
    private final @Nullable String stream;
    private final @Nullable String sink;
    private int itemsLeft;
    private long recordsLeft = READ_RECORDS_MAX;
    private long bytesLeft = READ_BYTES_MAX;
    private boolean isFirst = true;
    private final JsonBuffer unreadable = new JsonBuffer();

    Page(@Nullable String stream, @Nullable String sink, int limit) {
      this.stream = stream;
      this.sink = sink;
      this.itemsLeft = limit;
      out.ascii("{\"items\":[");
    }

    boolean isFull() {
      return itemsLeft == 0 || recordsLeft <= 0 || bytesLeft <= 0 || out.size() >= PAGE_BYTES_MAX;
    }

    /** Reads a part of the log; returns where the next part begins. */
    long read(Log log, long from, long durable) throws IOException {
      long next = from;
      try (LogReader reader = log.reader(from)) {
        for (int i = 0; i < STRETCH_RECORDS && next <= durable && !isFull(); i++) {
          if (!reader.next()) {
            return durable + 1;
          }
          next = reader.sequence() + 1;
          recordsLeft--;
          bytesLeft -= reader.length();
          if (reader.stream() == Stream.QUARANTINE) {
            view.wrap(reader.bytes(), reader.offset(), reader.length());
            add(reader);
          }
        }
      } catch (DamagedLogException damaged) {
        long behind = Math.min(log.nextSegment(next), durable + 1);
        unreadable.ascii(unreadable.size() == 0 ? "{\"from\":" : ",{\"from\":").number(next);
        unreadable.ascii(",\"to\":").number(behind - 1).ascii(",\"reason\":");
        unreadable.string(String.valueOf(damaged.getMessage())).put('}');
        return behind;
      }
      return next;
    }

    private void add(LogReader reader) {
      if (fits(view, stream, sink)) {
        out.ascii(isFirst ? "{" : ",{");
        write(reader, view, out);
        isFirst = false;
        itemsLeft--;
      }
    }

    Answer end(@Nullable String next) {
      out.ascii("],\"next\":");
      if (next == null) {
        out.ascii("null");
      } else {
        out.string(next);
      }
      if (unreadable.size() > 0) {
        out.ascii(",\"unreadable\":[").raw(unreadable.copy(), 0, unreadable.size()).put(']');
      }
      return Answer.json(200, out.put('}').copy());
    }
  }

  private static boolean fits(
      QuarantinedView view, @Nullable String stream, @Nullable String sink) {
    return (stream == null || stream.equals(view.stream()))
        && (sink == null || sink.equals(view.sink()));
  }

  private static void write(LogReader reader, QuarantinedView view, JsonBuffer out) {
    out.ascii("\"sequence\":").number(reader.sequence());
    out.ascii(",\"recordId\":\"").ascii(reader.node().toString()).put(':');
    out.number(reader.sequence()).ascii("\",\"receivedAt\":").time(reader.receivedAtMillis());
    out.put(',');
    view.writeMembers(out);
    out.put('}');
  }
}
