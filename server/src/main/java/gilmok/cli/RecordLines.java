package gilmok.cli;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.log.LogReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Records of a log as lines of JSON. Not thread-safe. */
final class RecordLines {
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final EventView view = new EventView();
  private final JsonBuffer line = new JsonBuffer();

  RecordLines(OutputStream out) {
    this.out = new BufferedOutputStream(out, BUFFER_BYTES);
  }

  /** Writes the record the reader stands on. */
  void write(LogReader reader) throws IOException {
    line.clear();
    line.ascii("{\"sequence\":").number(reader.sequence());
    line.ascii(",\"recordId\":\"").ascii(reader.node().toString()).put(':');
    line.number(reader.sequence()).ascii("\",\"stream\":\"").ascii(reader.stream().label());
    line.ascii("\",\"receivedAt\":").time(reader.receivedAtMillis()).ascii(",\"record\":");
    view.wrap(reader.bytes(), reader.offset(), reader.length());
    view.writeJson(line, reader.receivedAtMillis());
    line.ascii("}\n");
    out.write(line.bytes(), 0, line.size());
  }

  void flush() throws IOException {
    out.flush();
  }
}
