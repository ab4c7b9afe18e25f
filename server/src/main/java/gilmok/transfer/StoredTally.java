package gilmok.transfer;

import gilmok.event.JsonBuffer;
import gilmok.transfer.RecordBatch.Rejected;
import gilmok.transfer.RecordBatch.Stored;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts what became of records, and compares those that were there already as they are written.
 * Not thread-safe: one for each batch.
 */
public final class StoredTally<T> {
  private final BiConsumer<T, JsonBuffer> writer;
  private final JsonBuffer out = new JsonBuffer();
  private final RecordSum sum = new RecordSum();
  private final List<String> differing = new ArrayList<>();
  private final List<Rejected> rejected = new ArrayList<>();
  private int accepted;
  private int duplicates;

  /**
   * @param writer writes a record as an export does
   */
  public StoredTally(BiConsumer<T, JsonBuffer> writer) {
    this.writer = writer;
  }

  /**
   * Counts records that a store has restored.
   *
   * @param there what was there instead of each; empty for those that are new
   */
  public static <T> Stored of(
      List<T> records,
      List<Optional<T>> there,
      BiConsumer<T, JsonBuffer> writer,
      Function<T, String> id) {
    StoredTally<T> tally = new StoredTally<>(writer);
    for (int i = 0; i < records.size(); i++) {
      T record = records.get(i);
      T known = there.get(i).orElse(null);
      tally.count(record, id.apply(known == null ? record : known), known);
    }
    return tally.stored();
  }

  /**
   * Counts the next record.
   *
   * @param id names it where it differs
   * @param there what was there instead of it; null if it is new
   */
  public void count(T record, String id, @Nullable T there) {
    byte[] brought = written(record);
    if (there == null) {
      accepted++;
    } else {
      duplicates++;
      if (!Arrays.equals(brought, written(there))) {
        differing.add(id);
        return;
      }
    }
    sum.add(brought);
  }

  /** Counts the next record as one that is not taken. */
  public void reject(String field, String reason) {
    int number = accepted + duplicates + rejected.size();
    rejected.add(new Rejected(number, field, reason));
  }

  private byte[] written(T record) {
    out.clear();
    writer.accept(record, out);
    return out.copy();
  }

  /** What was counted. */
  public Stored stored() {
    return new Stored(accepted, duplicates, differing, rejected, sum.value());
  }
}
