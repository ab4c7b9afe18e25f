package gilmok.transfer;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch that keeps what it has read until it is stored. Not thread-safe: one for each body.
 *
 * @param <T> what a record is read to
 */
public final class ReadBatch<T> implements RecordBatch {
  private final Reader<T> reader;
  private final Store<T> store;
  private final List<T> records = new ArrayList<>();

  /** Reads a record. */
  @FunctionalInterface
  public interface Reader<T> {
    /** Reads the record at that value; what it returns counts if the fields have no fault. */
    @Nullable T read(JsonDocument document, int value, Fields fields)
        throws IOException, InterruptedException;
  }

  /** Stores records. */
  @FunctionalInterface
  public interface Store<T> {
    /** Stores records; durable on return. */
    Stored store(List<T> records) throws IOException, InterruptedException;
  }

  /** An empty batch. */
  public ReadBatch(Reader<T> reader, Store<T> store) {
    this.reader = reader;
    this.store = store;
  }

  @Override
  public void read(JsonDocument document, int value, Fields fields)
      throws IOException, InterruptedException {
    T record = reader.read(document, value, fields);
    if (record != null && fields.isGood()) {
      records.add(record);
    }
  }

  @Override
  public Stored store() throws IOException, InterruptedException {
    return store.store(records);
  }
}
