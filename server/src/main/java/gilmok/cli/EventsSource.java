package gilmok.cli;

import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.Upload;
import gilmok.collect.format.Format;
import gilmok.collect.format.FormatDecoder;
import gilmok.collect.json.RecordRule;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Positions, actions or log lines in the format of the fleet's own app, decoded as the server
 * decodes what the app sends. Not thread-safe, but for {@link #progress}.
 */
final class EventsSource implements ImportSource {
  private final FormatDecoder decoder;
  private final ImportRows rows;
  private final String head;
  private final EventView view = new EventView();
  private final JsonBuffer json = new JsonBuffer();

  /**
   * @param rows the lines of a file, the first of CSV with the names not among them
   * @param head that first line; empty if there is none
   */
  EventsSource(Format format, ImportRows rows, String head) {
    decoder = new FormatDecoder(format);
    this.rows = rows;
    this.head = head.isEmpty() ? "" : head + "\n";
  }

  @Override
  public boolean next(ImportBatch into) throws IOException {
    StringBuilder text = new StringBuilder(head);
    List<ImportRows.Row> taken = new ArrayList<>();
    while (taken.size() < ImportBatch.RECORDS_MAX && text.length() < 1 << 20) {
      ImportRows.Row row = rows.next();
      if (row == null) {
        break;
      }
      if (row.fault() == null) {
        taken.add(row);
        text.append(row.text()).append('\n');
      } else {
        into.reject(row.number(), "", row.fault(), row.text());
      }
    }
    if (taken.isEmpty()) {
      return !into.isEmpty();
    }
    Events events = new Events();
    DialectEvent out = new DialectEvent();
    out.upload(events, device -> device);
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    decoder.begin(_ -> null, RecordRule.NONE);
    decoder.decode(new Upload(bytes, 0, bytes.length, null, null, System.currentTimeMillis()), out);
    for (int i = 0; i < events.count(); i++) {
      json.clear();
      view.wrap(events.bytes(), events.offset(i), events.length(i)).writeJson(json);
      ImportRows.Row row = taken.get(events.index(i));
      into.add(row.number(), row.text(), json.copy());
    }
    for (int i = 0; i < events.rejectCount(); i++) {
      ImportRows.Row row = taken.get(events.rejectIndex(i));
      into.reject(row.number(), events.rejectField(i), events.rejectReason(i), row.text());
    }
    return true;
  }

  @Override
  public ImportRows rows() {
    return rows;
  }
}
