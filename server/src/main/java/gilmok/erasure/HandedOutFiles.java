package gilmok.erasure;

import gilmok.event.JsonBuffer;
import gilmok.event.JsonLines;
import gilmok.log.Stream;
import gilmok.parquet.ParquetFooter;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetValues;
import gilmok.shipped.ShippedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;

/**
 * A rider's rows in the Parquet files that a sink has published, with all their columns. Records
 * that are in the log still can be here, too: their {@code record_id} tells. Thread-safe; blocks.
 *
 * @param stream traces, actions or logs
 */
public record HandedOutFiles(ShippedFiles files, Stream stream) implements HandedOut.Source {
  private static final String RIDER = "rider_id";

  @Override
  public void write(String riderId, JsonLines out) throws IOException, InterruptedException {
    byte[] rider = riderId.getBytes(StandardCharsets.UTF_8);
    JsonBuffer json = new JsonBuffer();
    try (ShippedFiles.Lease lease =
        files.lease(stream, riderId, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE)) {
      for (ShippedFiles.RowGroup group : lease.groups()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        try (ParquetReader reader = lease.open(group)) {
          ParquetValues[] columns = columns(reader.footer());
          reader.begin(group.index(), columns);
          while (reader.nextPage()) {
            write(columns, rider, json, out);
          }
        } catch (NoSuchFileException deleted) {
          // by the retention, or compacted by another node
        }
      }
    }
  }

  private static ParquetValues[] columns(ParquetFooter footer) {
    return footer.columns().stream()
        .map(column -> new ParquetValues(column.name(), column.type()))
        .toArray(ParquetValues[]::new);
  }

  private static void write(ParquetValues[] columns, byte[] rider, JsonBuffer json, JsonLines out)
      throws IOException {
    ParquetValues riders =
        Arrays.stream(columns).filter(one -> one.column().equals(RIDER)).findAny().orElse(null);
    for (int row = 0; riders != null && row < riders.rows(); row++) {
      int from = riders.has(row) ? riders.offset(row) : 0;
      int to = riders.has(row) ? from + riders.length(row) : 0;
      if (Arrays.equals(riders.bytes(), from, to, rider, 0, rider.length)) {
        json.clear();
        String before = "{";
        for (ParquetValues column : columns) {
          if (column.has(row)) {
            json.ascii(before).string(column.column()).put(':');
            value(column, row, json);
            before = ",";
          }
        }
        out.line(json.put('}'));
      }
    }
  }

  private static void value(ParquetValues column, int row, JsonBuffer json) {
    switch (column.type()) {
      case TEXT -> json.string(column.bytes(), column.offset(row), column.length(row));
      case NUMBER -> json.number(column.number(row));
      case TIME -> json.time(column.number(row));
      case DECIMAL -> json.number(column.decimal(row));
      case FLAG -> json.ascii(column.flag(row) ? "true" : "false");
    }
  }
}
