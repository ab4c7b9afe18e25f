package gilmok.collect.json;

import gilmok.event.Attributes;
import gilmok.event.Decimal;
import gilmok.event.Event;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import gilmok.event.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON object into an {@link Event}, and notes the first fault. Positions are as in
 * {@link JsonScanner}.
 *
 * <p>Not thread-safe: part of its decoder.
 */
final class RecordReader {
  private final FieldNames names = new FieldNames();
  private final Decimal decimal = new Decimal();
  private final Rfc3339 times = new Rfc3339();
  private final JsonScanner scanner = new JsonScanner(decimal);
  private final Event event = new Event();
  private final JsonFaults faults = new JsonFaults();
  private byte[] bytes = {};
  private EventKind kind = EventKind.POSITION;
  private int given;

  void begin(EventKind kind, byte[] bytes, int end) {
    this.kind = kind;
    this.bytes = bytes;
    scanner.begin(bytes, end);
    event.source(bytes);
  }

  JsonScanner scanner() {
    return scanner;
  }

  Event event() {
    return event;
  }

  JsonFaults faults() {
    return faults;
  }

  /** Reads the object that starts here. */
  int record(int from) {
    event.clear(kind);
    faults.clear();
    given = 0;
    int p = scanner.blanks(from + 1);
    if (bytes[p] == '}') {
      complete();
      return p + 1;
    }
    while (true) {
      p = bytes[p] == '"' ? member(p) : scanner.broken(p, "expected a name");
      if (p < 0) {
        return p;
      }
      byte b = bytes[p];
      if (b <= ' ') {
        p = scanner.blanks(p);
        b = bytes[p];
      }
      if (b != ',') {
        break;
      }
      p++;
      if (bytes[p] <= ' ') {
        p = scanner.blanks(p);
      }
    }
    if (bytes[p] != '}') {
      return scanner.broken(p, "expected a comma or a closing brace");
    }
    complete();
    return p + 1;
  }

  private void complete() {
    if (faults.reason() == null) {
      EventField fault = event.fault();
      if (fault != null) {
        faults.note(fault.label(), event.faultReason());
      }
    }
  }

  /** Reads a member: its name, the colon, its value. */
  private int member(int from) {
    EventField field = names.find(bytes, from + 1);
    if (field == null || !kind.has(field)) {
      return otherMember(from);
    }
    int p = from + 2 + field.labelLength();
    if (bytes[p] != ':' || bytes[p + 1] <= ' ') {
      p = scanner.colon(p);
      return p < 0 ? p : value(field, p);
    }
    return value(field, p + 1);
  }

  private int value(EventField field, int p) {
    if ((given & (1 << field.code())) != 0) {
      faults.note(field.label(), Reason.GIVEN_TWICE);
      return skip(field, p);
    }
    given |= 1 << field.code();
    return switch (field.shape()) {
      case NUMBER -> number(field, p);
      case TEXT -> bytes[p] == '"' ? text(field, p) : wrong(field, p, Reason.NOT_A_STRING);
      case TIME -> time(p);
      case MEMBERS -> bytes[p] == '{' ? members(p) : wrong(field, p, Reason.NOT_AN_OBJECT);
    };
  }

  /**
   * Skips a value. Members of {@code attributes} may be nested as deep as those beside it, as both
   * become attributes.
   */
  private int skip(EventField field, int p) {
    return scanner.value(p, null, field == EventField.ATTRIBUTES ? -1 : 0, faults);
  }

  /** Notes a value of the wrong type, then skips it; null counts as absent. */
  private int wrong(EventField field, int p, String reason) {
    if (!scanner.isNull(p)) {
      faults.note(field.label(), reason);
    }
    return skip(field, p);
  }

  private int number(EventField field, int p) {
    byte b = bytes[p];
    if (b > '9' || b < '-') {
      return wrong(field, p, Reason.NOT_A_NUMBER);
    }
    int stop = decimal.scan(bytes, p);
    if (stop < 0) {
      return scanner.broken(~stop, "unexpected character");
    }
    note(field, event.number(field, decimal));
    return stop;
  }

  private void note(EventField field, @Nullable String reason) {
    if (reason != null) {
      faults.note(field.label(), reason);
    }
  }

  private int text(EventField field, int from) {
    int start = from + 1;
    int p = start;
    int plain;
    do {
      plain = Bytes.before(Bytes.marks(Bytes.word(bytes, p)));
      p += plain;
    } while (plain == 8);
    if (bytes[p] == '"') {
      note(field, event.plain(field, start, p - start));
      return p + 1;
    }
    return unusualText(field, from);
  }

  private int unusualText(EventField field, int from) {
    int p = scanner.string(from);
    if (p < 0) {
      return p;
    }
    String fault = scanner.textFault();
    note(
        field,
        fault != null
            ? fault
            : event.text(field, scanner.text(), scanner.textOffset(), scanner.textLength()));
    return p;
  }

  private int time(int p) {
    if (bytes[p] != '"') {
      return timeNumber(p);
    }
    long millis = times.parseQuoted(bytes, p + 1);
    if (millis != Rfc3339.NOT_A_TIME) {
      note(EventField.AT, event.at(millis));
      return p + 2 + Rfc3339.quotedLength(bytes, p + 1);
    }
    int stop = scanner.string(p);
    if (stop < 0) {
      return stop;
    }
    int offset = scanner.textOffset();
    millis = Rfc3339.parse(scanner.text(), offset, offset + scanner.textLength());
    String fault = scanner.textFault();
    if (fault == null) {
      fault = millis == Rfc3339.NOT_A_TIME ? Reason.NOT_A_TIME : event.at(millis);
    }
    note(EventField.AT, fault);
    return stop;
  }

  private int timeNumber(int p) {
    byte b = bytes[p];
    if (b > '9' || b < '-') {
      return wrong(EventField.AT, p, Reason.NOT_A_TIME);
    }
    int stop = decimal.scan(bytes, p);
    if (stop < 0) {
      return scanner.broken(~stop, "unexpected character");
    }
    note(EventField.AT, decimal.isWhole() ? event.at(decimal.whole()) : Reason.NOT_A_TIME);
    return stop;
  }

  /** Reads the object {@code attributes}. */
  private int members(int from) {
    faults.member(EventField.ATTRIBUTES.label());
    int p = scanner.blanks(from + 1);
    if (bytes[p] == '}') {
      return p + 1;
    }
    while (true) {
      p = bytes[p] == '"' ? attribute(p, true) : scanner.broken(p, "expected a name");
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

  private int attribute(int from, boolean isOwn) {
    int p = scanner.string(from);
    if (p < 0) {
      return p;
    }
    String fault = scanner.textFault();
    JsonBuffer copy = null;
    if (fault == null) {
      Attributes attributes = event.attributes();
      copy = attributes.member(isOwn, scanner.text(), scanner.textOffset(), scanner.textLength());
    } else {
      faults.value(fault);
    }
    p = scanner.colon(p);
    return p < 0 ? p : scanner.value(p, copy, 0, faults);
  }

  /** Reads a member whose name is not a field's, or is a field's written with escapes. */
  private int otherMember(int from) {
    int p = scanner.string(from);
    if (p < 0) {
      return p;
    }
    if (scanner.isTextEscaped() && scanner.textFault() == null) {
      EventField field = names.find(scanner.quotedScratch(), 0);
      if (field != null && kind.has(field) && isWhole(field)) {
        p = scanner.colon(p);
        return p < 0 ? p : value(field, p);
      }
    }
    faults.member(EventField.ATTRIBUTES.label());
    return attribute(from, false);
  }

  /** Whether the last string is exactly the field's name, and not longer. */
  private boolean isWhole(EventField field) {
    return field.labelLength() == scanner.textLength();
  }
}
