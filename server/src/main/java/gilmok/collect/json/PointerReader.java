package gilmok.collect.json;

import gilmok.collect.json.JsonPointers.Node;
import gilmok.event.Decimal;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the records of an upload whose form is declared by pointers, in one pass over its bytes:
 * values that belong to all records first, then record by record. If a value that belongs to all
 * records stands behind them, or is not there, the records are read in a second pass. Throws no
 * exception, whatever the bytes are.
 *
 * <p>Not thread-safe: one for each thread, reused from upload to upload.
 */
public final class PointerReader {
  /** The most records of an upload that are read; those after them are one reject. */
  public static final int RECORDS_MAX = 100_000;

  private static final int KEPT_BYTES_MAX = 1 << 18;
  private static final int NAME_BYTES_MAX = 1024;
  private static final int NOT_MET = -1;

  private final JsonPointers ofBody;
  private final JsonPointers ofRecord;
  private final boolean areLines;
  private final PointedValues values;
  private final Decimal decimal = new Decimal();
  private final JsonScanner scanner = new JsonScanner(decimal);
  private final JsonFaults faults = new JsonFaults();
  private final byte[] name = new byte[NAME_BYTES_MAX];
  private byte[] kept = new byte[16 * 1024];
  private byte[] bytes = kept;
  private int base;
  private int end;
  private int index;
  private int recordsAt;
  private int bodyLeft;
  private boolean hasRecords;

  /**
   * @param ofBody what is read once for all records, and where the records are
   * @param ofRecord what is read from each record
   * @param areLines whether the upload is one record a line
   */
  public PointerReader(
      JsonPointers ofBody, JsonPointers ofRecord, boolean areLines, PointedValues values) {
    this.ofBody = ofBody;
    this.ofRecord = ofRecord;
    this.areLines = areLines;
    this.values = values;
  }

  /**
   * Reads an upload.
   *
   * @return whether it is JSON; if not, what was read before must not be used
   */
  public boolean read(byte[] upload, int offset, int length) {
    take(upload, offset, length);
    index = 0;
    recordsAt = NOT_MET;
    bodyLeft = ofBody.count();
    hasRecords = false;
    int p = scanner.start();
    if (p >= end) {
      scanner.empty();
      return false;
    }
    if (areLines) {
      lines(p);
      return true;
    }
    p = walk(p, ofBody.root, false);
    if (p >= 0 && scanner.blanks(p) < end) {
      p = scanner.broken(scanner.blanks(p), "unexpected character behind the value");
    }
    if (p >= 0 && recordsAt != NOT_MET) {
      p = records(recordsAt);
    }
    bytes = kept;
    return p >= 0;
  }

  /** Whether records, or an empty array of them, were where they are declared to be. */
  public boolean hasRecords() {
    return hasRecords;
  }

  /** Why the last upload is no JSON: a constant. */
  public String errorReason() {
    return scanner.errorReason();
  }

  /** Where in the last upload the syntax error is. */
  public int errorOffset() {
    return scanner.errorOffset();
  }

  /** The last upload's own bytes, to which zeros were added. */
  public byte[] bytes() {
    return bytes;
  }

  private void take(byte[] upload, int offset, int length) {
    int needed = length + JsonScanner.ZEROS;
    if (needed > kept.length && needed <= KEPT_BYTES_MAX) {
      kept = new byte[Math.min(KEPT_BYTES_MAX, 2 * needed)];
    }
    bytes = needed > kept.length ? new byte[needed] : kept;
    System.arraycopy(upload, offset, bytes, 0, length);
    Arrays.fill(bytes, length, needed, (byte) 0);
    base = offset;
    end = length;
    scanner.begin(bytes, end);
  }

  private void lines(int from) {
    hasRecords = true;
    for (int p = from; p < end; p = scanner.blanks(p)) {
      if (isFull()) {
        values.reject(index, base + p, base + end, Reason.TOO_LARGE);
        return;
      }
      int stop = record(p);
      if (stop < 0) {
        stop = lineEnd(p);
        values.reject(index - 1, base + p, base + stop, Reason.NOT_JSON);
      }
      p = stop;
    }
  }

  private boolean isFull() {
    return index == RECORDS_MAX || values.isFull();
  }

  private int lineEnd(int from) {
    int p = from;
    while (p < end && bytes[p] != '\n' && bytes[p] != '\r') {
      p++;
    }
    return p;
  }

  /** Reads the value that a step has led to. */
  private int walk(int p, Node node, boolean isInRecord) {
    if (node.hasRecords) {
      if (bodyLeft == 0) {
        return records(p);
      }
      recordsAt = p;
      return skip(p);
    }
    if (node.number != JsonPointers.NONE) {
      bodyLeft -= isInRecord ? 0 : 1;
      return value(node.number, p);
    }
    return switch (bytes[p]) {
      case '{' -> members(p, node, isInRecord);
      case '[' -> elements(p, node, isInRecord);
      default -> isInRecord ? unnamed(p, node.prefix, node.prefix.length - 1) : skip(p);
    };
  }

  private int skip(int p) {
    return scanner.value(p, null, 0, faults);
  }

  /** Reads the records, or the one record, that are here. */
  private int records(int from) {
    if (scanner.isNull(from)) {
      return skip(from);
    }
    hasRecords = true;
    if (bytes[from] != '[' || isArray(from)) {
      return record(from);
    }
    int p = scanner.blanks(from + 1);
    if (bytes[p] == ']') {
      return p + 1;
    }
    int rest = NOT_MET;
    while (true) {
      if (rest == NOT_MET && isFull()) {
        rest = p;
      }
      p = rest == NOT_MET ? record(p) : skip(p);
      if (p < 0) {
        return p;
      }
      int stop = p;
      p = scanner.blanks(p);
      if (bytes[p] == ']') {
        if (rest != NOT_MET) {
          values.reject(index, base + rest, base + stop, Reason.TOO_LARGE);
        }
        return p + 1;
      }
      if (bytes[p] != ',') {
        return scanner.broken(p, "expected a comma or a closing bracket");
      }
      p = scanner.blanks(p + 1);
    }
  }

  /** Whether an array is one record by itself: its first element is no array and no object. */
  private boolean isArray(int from) {
    byte first = bytes[scanner.blanks(from + 1)];
    return ofRecord.root.element(0) != null && first != '[' && first != ']';
  }

  private int record(int from) {
    int number = index++;
    faults.clear();
    byte first = bytes[from];
    if (first != '{' && (first != '[' || ofRecord.root.element(0) == null)) {
      int p = skip(from);
      if (p >= 0) {
        values.reject(number, base + from, base + p, Reason.NOT_AN_OBJECT);
      }
      return p;
    }
    values.begin(number);
    int p = first == '{' ? members(from, ofRecord.root, true) : elements(from, ofRecord.root, true);
    if (p >= 0) {
      values.end(number, base + from, base + p, faults.reason());
    }
    return p;
  }

  private int members(int from, Node node, boolean isInRecord) {
    int p = scanner.blanks(from + 1);
    if (bytes[p] == '}') {
      return p + 1;
    }
    int next = 0;
    while (true) {
      if (bytes[p] != '"') {
        return scanner.broken(p, "expected a name");
      }
      int child = node.find(bytes, p + 1, next);
      if (child != JsonPointers.NONE) {
        next = child + 1;
        p = scanner.colon(p + 2 + node.nameLength(child));
        p = p < 0 ? p : walk(p, node.at(child), isInRecord);
      } else {
        p = otherMember(p, node, isInRecord);
      }
      if (p < 0) {
        return p;
      }
      p = scanner.blanks(p);
      if (bytes[p] == '}') {
        return p + 1;
      }
      if (bytes[p] != ',') {
        return scanner.broken(p, "expected a comma or a closing brace");
      }
      p = scanner.blanks(p + 1);
    }
  }

  /** Reads a member whose name is no step's, or is one that is written with escapes. */
  private int otherMember(int from, Node node, boolean isInRecord) {
    int p = scanner.string(from);
    if (p < 0) {
      return p;
    }
    String fault = scanner.textFault();
    if (scanner.isTextEscaped() && fault == null) {
      int child = node.find(scanner.quotedScratch(), 0, 0);
      if (child != JsonPointers.NONE && node.nameLength(child) == scanner.textLength()) {
        p = scanner.colon(p);
        return p < 0 ? p : walk(p, node.at(child), isInRecord);
      }
    }
    int length = 0;
    if (isInRecord) {
      faults.member("attributes");
      if (fault != null) {
        faults.value(fault);
      }
      length = joined(node.prefix, scanner.text(), scanner.textOffset(), scanner.textLength());
    }
    p = scanner.colon(p);
    return p < 0 ? p : isInRecord ? unnamed(p, name, length) : skip(p);
  }

  private int elements(int from, Node node, boolean isInRecord) {
    int p = scanner.blanks(from + 1);
    if (bytes[p] == ']') {
      return p + 1;
    }
    for (int i = 0; ; i++) {
      Node element = node.element(i);
      if (element != null) {
        p = walk(p, element, isInRecord);
      } else if (isInRecord) {
        byte[] number = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
        p = unnamed(p, name, joined(node.prefix, number, 0, number.length));
      } else {
        p = skip(p);
      }
      if (p < 0) {
        return p;
      }
      p = scanner.blanks(p);
      if (bytes[p] == ']') {
        return p + 1;
      }
      if (bytes[p] != ',') {
        return scanner.broken(p, "expected a comma or a closing bracket");
      }
      p = scanner.blanks(p + 1);
    }
  }

  /** Writes a name with those that lead to it, cut at its longest; returns its length. */
  private int joined(byte[] prefix, byte[] last, int offset, int length) {
    int front = Math.min(prefix.length, name.length);
    int back = Math.min(length, name.length - front);
    System.arraycopy(prefix, 0, name, 0, front);
    System.arraycopy(last, offset, name, front, back);
    return front + back;
  }

  /** Reads the value of a record's member that no pointer names. */
  private int unnamed(int p, byte[] name, int length) {
    if (scanner.isNull(p)) {
      return skip(p);
    }
    faults.member("attributes");
    JsonBuffer copy = values.member(name, 0, length);
    return scanner.value(p, copy, 0, faults);
  }

  private int value(int number, int p) {
    byte first = bytes[p];
    if (first == '"') {
      return text(number, p);
    }
    if (first == '-' || (first >= '0' && first <= '9')) {
      int stop = decimal.scan(bytes, p);
      if (stop < 0) {
        return scanner.broken(~stop, "unexpected character");
      }
      values.number(number, decimal, bytes, p, stop - p);
      return stop;
    }
    if (scanner.isNull(p)) {
      return skip(p);
    }
    faults.member("attributes");
    return scanner.value(p, values.other(number), 0, faults);
  }

  private int text(int number, int from) {
    int start = from + 1;
    int p = start;
    int plain;
    do {
      plain = Bytes.before(Bytes.marks(Bytes.word(bytes, p)));
      p += plain;
    } while (plain == 8);
    if (bytes[p] == '"') {
      values.text(number, bytes, start, p - start, true);
      return p + 1;
    }
    p = scanner.string(from);
    if (p < 0) {
      return p;
    }
    String fault = scanner.textFault();
    if (fault == null) {
      values.text(number, scanner.text(), scanner.textOffset(), scanner.textLength(), false);
    } else {
      values.unusable(number, fault);
    }
    return p;
  }
}
