package gilmok.erasure;

import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.JsonLines;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.LogScan;
import gilmok.log.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A rider's records of a stream, as this node's log has them. All of the stream is read: it is in
 * the order of receipt. Thread-safe; blocks.
 *
 * @param stream traces, actions or logs
 */
public record HandedOutRecords(Log log, Stream stream) implements HandedOut.Source {
  @Override
  public void write(String riderId, JsonLines out) throws IOException, InterruptedException {
    long through = log.durable();
    long from = log.firstOf(stream, Math.max(1, log.oldestSequence()));
    if (from <= through) {
      Taking taking = new Taking(riderId.getBytes(StandardCharsets.UTF_8), out);
      long _ = new LogScan(log, "a hand-out", through).read(from, taking::take);
      taking.check();
    }
  }

  /** Gives the records on; a failure ends the scan, and is thrown behind it. */
  private final class Taking {
    private final EventView view = new EventView();
    private final JsonBuffer json = new JsonBuffer();
    private final byte[] rider;
    private final JsonLines out;
    private @Nullable IOException failure;

    Taking(byte[] rider, JsonLines out) {
      this.rider = rider;
      this.out = out;
    }

    boolean take(LogReader reader) {
      if (reader.stream() != stream) {
        return true;
      }
      view.wrap(reader.bytes(), reader.offset(), reader.length());
      if (!isTheirs()) {
        return true;
      }
      json.clear();
      json.ascii("{\"recordId\":\"").ascii(reader.node().toString()).put(':');
      json.number(reader.sequence()).ascii("\",\"receivedAt\":").time(reader.receivedAtMillis());
      json.ascii(",\"record\":");
      view.writeJson(json);
      json.put('}');
      try {
        out.line(json);
        return true;
      } catch (IOException failed) {
        failure = failed;
        return false;
      }
    }

    private boolean isTheirs() {
      int offset = view.offset(EventField.RIDER_ID);
      int length = view.length(EventField.RIDER_ID);
      return length == rider.length
          && Arrays.equals(view.bytes(), offset, offset + length, rider, 0, length);
    }

    void check() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
