package gilmok.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records that become ours one by one: as a declaration says, or as they are. Not thread-safe, but
 * for {@link #progress}.
 *
 * @param mapper null where the records are ours already
 */
record RowsSource(ImportRows rows, @Nullable DocumentMapper mapper) implements ImportSource {
  @Override
  public boolean next(ImportBatch into) throws IOException {
    while (!into.isFull()) {
      ImportRows.Row row = rows.next();
      if (row == null) {
        return !into.isEmpty();
      }
      take(row, into);
    }
    return true;
  }

  private void take(ImportRows.Row row, ImportBatch into) {
    String fault = row.fault();
    if (fault != null) {
      into.reject(row.number(), "", fault, row.text());
      return;
    }
    if (mapper == null) {
      into.add(row.number(), row.text().strip());
      return;
    }
    JsonNode value = FileRows.parsed(row);
    if (value == null) {
      into.reject(row.number(), "", "no JSON object, or a name in it twice", row.text());
      return;
    }
    switch (mapper.map(value)) {
      case DocumentMapper.Mapped.Good good ->
          into.add(row.number(), row.text(), JsonMapper.shared().writeValueAsBytes(good.record()));
      case DocumentMapper.Mapped.Wrong wrong ->
          into.reject(row.number(), wrong.field(), wrong.reason(), row.text());
    }
  }
}
