package gilmok.transfer;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.LogScan;
import gilmok.log.Stream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What phones have sent, as far as this node's log still has it. It is brought to another server as
 * phones bring it, so {@link #batch} has nothing. A part of the log that is damaged is left out,
 * and logged. Thread-safe.
 *
 * @param stream traces, actions or logs
 */
public record LogDataset(Log log, Stream stream, String name) implements Dataset {
  /** A page ends when it took that much of the log to find its records. */
  private static final int READ_RECORDS_MAX = 200_000;

  private static final int PAGE_BYTES_MAX = 4 << 20;

  /** All three. */
  public static List<Dataset> all(Log log) {
    return List.of(
        new LogDataset(log, Stream.TRACES, "traces"),
        new LogDataset(log, Stream.ACTIONS, "actions"),
        new LogDataset(log, Stream.LOGS, "logs"));
  }

  @Override
  public @Nullable String whyNoCursor(String cursor) {
    return cursor.matches("[1-9]\\d{0,17}") ? null : "must be the next of the page before";
  }

  @Override
  public @Nullable RecordBatch batch(String keyId) {
    return null;
  }

  @Override
  public DatasetPage page(String cursor, int limit) throws IOException, InterruptedException {
    long durable = log.durable();
    long from = cursor.isEmpty() ? log.oldestSequence() : Long.parseLong(cursor);
    long next = log.firstOf(stream, Math.max(1, from));
    Page page = new Page(limit);
    if (next <= durable) {
      next = new LogScan(log, "an export", durable).read(next, page::take);
    }
    return new DatasetPage(page.records, next <= durable ? Long.toString(next) : null);
  }

  /** A page while it is read. */
  private final class Page {
    final List<byte[]> records = new ArrayList<>();
    private final EventView view = new EventView();
    private final JsonBuffer out = new JsonBuffer();
    private final int limit;
    private int read;
    private long bytes;

    Page(int limit) {
      this.limit = limit;
    }

    boolean take(LogReader reader) {
      if (reader.stream() == stream) {
        out.clear();
        view.wrap(reader.bytes(), reader.offset(), reader.length()).writeJson(out);
        records.add(out.copy());
        bytes += out.size();
      }
      return ++read < READ_RECORDS_MAX && records.size() < limit && bytes < PAGE_BYTES_MAX;
    }
  }
}
