package gilmok.sinks;

import gilmok.log.RecordRewrite;
import gilmok.log.Stream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Dead letters for which the full log had no room, encoded for the stream {@code quarantine}. They
 * wait in the cursor's note until there is room. Each is there once.
 *
 * <p>Guarded by the lock of the {@link SinkState}.
 */
final class PendingDeadLetters {
  static final int RECORDS_MAX = 256;
  static final int BYTES_MAX = 256 * 1024;

  private final List<byte[]> records = new ArrayList<>();
  private int bytes;

  /** Adds a record; false, without a change, when that would exceed the limit. */
  boolean add(byte[] record) {
    if (records.stream().anyMatch(one -> Arrays.equals(one, record))) {
      return true;
    }
    if (records.size() == RECORDS_MAX || record.length > BYTES_MAX - bytes) {
      return false;
    }
    records.add(record);
    bytes += record.length;
    return true;
  }

  /** The oldest records, up to {@code bytesMax} bytes or a few more. */
  List<byte[]> oldest(int bytesMax) {
    List<byte[]> some = new ArrayList<>();
    int sum = 0;
    for (int i = 0; i < records.size() && sum < bytesMax; i++) {
      some.add(records.get(i));
      sum += records.get(i).length;
    }
    return some;
  }

  /** Removes the {@code count} oldest records. */
  void remove(int count) {
    List<byte[]> gone = records.subList(0, count);
    gone.forEach(record -> bytes -= record.length);
    gone.clear();
  }

  /** Drops what is erased, and puts what takes a record's place there. */
  void rewrite(RecordRewrite rewrite) {
    List<byte[]> before = List.copyOf(records);
    remove(records.size());
    for (byte[] record : before) {
      switch (rewrite.of(Stream.QUARANTINE, 0, record, 0, record.length)) {
        case RecordRewrite.Outcome.Kept _ -> restore(List.of(record));
        case RecordRewrite.Outcome.Replaced(byte[] by) -> restore(List.of(by));
        case RecordRewrite.Outcome.Erased _ -> {}
      }
    }
  }

  /** Adds records, whatever the limit. */
  void restore(List<byte[]> others) {
    records.addAll(others);
    others.forEach(record -> bytes += record.length);
  }

  /** All records, the oldest first; a view. */
  List<byte[]> all() {
    return Collections.unmodifiableList(records);
  }

  int size() {
    return records.size();
  }
}
