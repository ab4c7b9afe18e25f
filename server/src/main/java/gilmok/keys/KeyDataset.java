package gilmok.keys;

import gilmok.auth.KeyStore;
import gilmok.auth.KeyTransfer;
import gilmok.auth.Keys;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.JsonBuffer;
import gilmok.transfer.Dataset;
import gilmok.transfer.DatasetPage;
import gilmok.transfer.ReadBatch;
import gilmok.transfer.RecordBatch;
import gilmok.transfer.StoredTally;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All keys, with the hashes of their secrets: whoever has them can go on using them. Thread-safe.
 */
public final class KeyDataset implements Dataset {
  private static final int ID_CHARS_MAX = 64;

  private final KeyTransfer keys;

  /** Those of these keys. */
  public KeyDataset(Keys keys) {
    this.keys = new KeyTransfer(keys);
  }

  @Override
  public String name() {
    return "keys";
  }

  @Override
  public DatasetPage page(String cursor, int limit) {
    return DatasetPage.of(
        keys.after(cursor, limit + 1), limit, KeyDataset::write, KeyStore.Kept::id);
  }

  @Override
  public RecordBatch batch(String keyId) {
    return new ReadBatch<KeyStore.Kept>(KeyDataset::read, this::store);
  }

  private static KeyStore.@Nullable Kept read(JsonDocument document, int value, Fields fields) {
    String fault = document.fault(value);
    String id = fields.need(value, "", "id", ID_CHARS_MAX);
    if (fault != null || !fields.isGood()) {
      fields.wrong("", fault == null ? "not a key" : fault);
      return null;
    }
    JsonBuffer copy = new JsonBuffer();
    document.copy(value, copy);
    KeyStore.Kept kept = new KeyStore.Kept(id, copy.toString());
    String why = KeyTransfer.whyNot(kept);
    if (why != null) {
      fields.wrong("", why);
    }
    return kept;
  }

  private RecordBatch.Stored store(List<KeyStore.Kept> brought) throws IOException {
    Set<String> before = new HashSet<>();
    keys.after("", Integer.MAX_VALUE).forEach(key -> before.add(key.id()));
    List<Optional<KeyStore.Kept>> there = keys.restore(brought);
    StoredTally<KeyStore.Kept> tally = new StoredTally<>(KeyDataset::write);
    for (int i = 0; i < brought.size(); i++) {
      KeyStore.Kept now = there.get(i).orElse(null);
      if (now == null) {
        tally.reject("id", "no more keys fit");
      } else {
        String id = now.id();
        tally.count(brought.get(i), id, before.add(id) ? null : now);
      }
    }
    return tally.stored();
  }

  private static void write(KeyStore.Kept kept, JsonBuffer out) {
    byte[] utf8 = kept.json().getBytes(StandardCharsets.UTF_8);
    out.raw(utf8, 0, utf8.length);
  }
}
