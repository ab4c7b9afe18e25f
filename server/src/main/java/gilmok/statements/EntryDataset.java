package gilmok.statements;

import gilmok.event.JsonBuffer;
import gilmok.transfer.Dataset;
import gilmok.transfer.DatasetPage;
import gilmok.transfer.ReadBatch;
import gilmok.transfer.RecordBatch;
import gilmok.transfer.RecordSum;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** All entries of statements, in the form in which they are posted. Thread-safe. */
record EntryDataset(EntryStore store, String currency) implements Dataset {
  @Override
  public String name() {
    return "statement-entries";
  }

  @Override
  public DatasetPage page(String cursor, int limit) throws IOException, InterruptedException {
    int most = Math.min(limit, EntryStore.ENTRIES_MAX - 1);
    return DatasetPage.of(
        store.after(cursor, most + 1), most, StatementJson::write, StatementEntry::id);
  }

  @Override
  public RecordBatch batch(String keyId) {
    return new ReadBatch<StatementEntry>(
        (document, value, fields) -> new EntryReader(document, fields, currency, true).read(value),
        this::store);
  }

  private RecordBatch.Stored store(List<StatementEntry> entries)
      throws IOException, InterruptedException {
    EntryStore.Added added = store.add(entries);
    Set<String> differing = new HashSet<>(added.differing());
    Set<String> tooOld = new HashSet<>(added.tooOld());
    List<RecordBatch.Rejected> rejected = new ArrayList<>();
    JsonBuffer out = new JsonBuffer();
    RecordSum sum = new RecordSum();
    for (int i = 0; i < entries.size(); i++) {
      StatementEntry entry = entries.get(i);
      if (tooOld.contains(entry.id())) {
        rejected.add(new RecordBatch.Rejected(i, "at", TooOld.REASON));
      } else if (!differing.contains(entry.id())) {
        out.clear();
        StatementJson.write(entry, out);
        sum.add(out.bytes(), 0, out.size());
      }
    }
    return new RecordBatch.Stored(
        added.accepted(), added.duplicates(), added.differing(), rejected, sum.value());
  }
}
