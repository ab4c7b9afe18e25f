package gilmok.privacy;

import gilmok.privacy.CollectedTable.Part;
import gilmok.privacy.CollectedTable.Taken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes counts of what was collected into the documents, part by part. With the counts of a part
 * goes its mark, the sequence through which they count, in one transaction where the documents are
 * SQLite's: after a kill the records behind a mark are read again, and none counts twice or never.
 * In MongoDB marks follow their rows, so the last ones before a kill may count twice.
 *
 * <p>Not thread-safe: its owner lets one thread in at a time. Methods block.
 */
final class CollectedWriter {
  private final Register register;
  private final CollectedKinds kinds;
  private final String markId;

  /** The mark of all parts, as an earlier version wrote it. */
  private final String wholeMarkId;

  private final long[] marks = new long[CollectedTable.PARTS];

  /** What was being written when the store failed: nobody knows whether it is written. */
  private @Nullable Taken unsure;

  CollectedWriter(Register register, CollectedKinds kinds, String node) {
    this.register = register;
    this.kinds = kinds;
    wholeMarkId = "through:" + node;
    markId = wholeMarkId + "/";
  }

  /** Reads the marks. What was taken and not written is given up: it is to be read again. */
  void begin() throws IOException, InterruptedException {
    unsure = null;
    List<RegisterRow> whole = marks(wholeMarkId, wholeMarkId + "!");
    Arrays.fill(marks, whole.isEmpty() ? 0 : whole.getFirst().span().toMillis());
    for (RegisterRow row : marks(markId, wholeMarkId + "0")) {
      int part = Integer.parseInt(row.id(), markId.length(), row.id().length(), 16);
      marks[part] = Math.max(marks[part], row.span().toMillis());
    }
  }

  private List<RegisterRow> marks(String from, String below)
      throws IOException, InterruptedException {
    return register
        .store()
        .page(
            new RegisterStore.Question(
                null, null, from, below, 0, Long.MAX_VALUE, CollectedTable.PARTS));
  }

  /** The sequence through which a part is written. */
  long mark(int part) {
    return marks[part];
  }

  /** The sequence through which all parts are written. */
  long lowest() {
    return Arrays.stream(marks).min().orElse(0);
  }

  /**
   * Writes what a store did not take before, if it has not. Call it before anything is taken: a
   * part is written in the order of its marks.
   */
  void writeUnsure() throws IOException, InterruptedException {
    Taken before = unsure;
    if (before == null) {
      return;
    }
    String id = id(before.parts().getFirst());
    List<RegisterRow> mark = marks(id, id + "!");
    if (!mark.isEmpty() && mark.getFirst().span().toMillis() >= before.through()) {
      written(before); // only the answer was lost
    } else {
      write(before);
    }
  }

  /** Writes counts that were taken; until it has, they are here. */
  void write(Taken taken) throws IOException, InterruptedException {
    unsure = taken;
    Map<String, String> names = new HashMap<>();
    List<RegisterRow> rows = new ArrayList<>();
    List<RegisterRow> written = new ArrayList<>();
    for (Part part : taken.parts()) {
      CollectedCounts counts = part.counts();
      for (int i = 0; i < counts.size(); i++) {
        String rider = counts.rider(i);
        String pseudonym = register.pseudonyms().of(rider);
        names.put(pseudonym, rider);
        rows.add(kinds.row(counts.key(i), pseudonym, counts.span(i), register));
      }
      written.add(register.mark(id(part), taken.through()));
    }
    register.store().add(rows, names, written);
    written(taken);
  }

  private void written(Taken taken) {
    for (Part part : taken.parts()) {
      marks[part.number()] = taken.through();
    }
    unsure = null;
  }

  private String id(Part part) {
    return "%s%02x".formatted(markId, part.number());
  }
}
