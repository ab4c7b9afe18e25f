package gilmok.account;

import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedView;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Pages of what was set aside, the oldest first. A page ends at its limit, when it is large, or
 * when so much of the log was read for it; then the next one goes on there. Blocks for files;
 * thread-safe.
 */
final class QuarantinePage {
  static final int ITEMS_MAX = 1000;
  static final int ITEMS_USUAL = 100;
  private static final int PAGE_BYTES_MAX = 4 << 20;
  private static final long READ_RECORDS_MAX = 2_000_000;
  private static final long READ_BYTES_MAX = 256 << 20;

  private final Log log;

  QuarantinePage(Log log) {
    this.log = log;
  }

  /**
   * One page.
   *
   * @param stream only what was meant for it; null for any
   * @param sink only what it refused; null for any
   * @param from the sequence to begin with
   */
  Answer read(@Nullable String stream, @Nullable String sink, int limit, long from)
      throws IOException {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"items\":[");
    QuarantinedView view = new QuarantinedView();
    int items = 0;
    long next = log.firstOf(Stream.QUARANTINE, from);
    long durable = log.durable();
    boolean isOver = next > durable;
    try (LogReader reader = log.reader(Math.max(1, next))) {
      long records = 0;
      long bytes = 0;
      while (!isOver
          && items < limit
          && out.size() < PAGE_BYTES_MAX
          && records < READ_RECORDS_MAX
          && bytes < READ_BYTES_MAX) {
        isOver = next > durable || !reader.next();
        if (!isOver) {
          next = reader.sequence() + 1;
          records++;
          bytes += reader.length();
          if (reader.stream() == Stream.QUARANTINE) {
            view.wrap(reader.bytes(), reader.offset(), reader.length());
            if (fits(view, stream, sink)) {
              out.ascii(items == 0 ? "{" : ",{");
              write(reader, view, out);
              items++;
            }
          }
        }
      }
    }
    out.ascii("],\"next\":");
    if (isOver || next > durable) {
      out.ascii("null");
    } else {
      out.string(Long.toString(next));
    }
    return new Answer.Done(200, out.put('}'));
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
