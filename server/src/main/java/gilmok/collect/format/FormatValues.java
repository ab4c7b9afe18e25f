package gilmok.collect.format;

import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.PhoneNumbers;
import gilmok.collect.dialect.PhoneTimes;
import gilmok.collect.json.JsonDecoder;
import gilmok.collect.json.PointedValues;
import gilmok.collect.json.RecordRule;
import gilmok.event.Decimal;
import gilmok.event.Event;
import gilmok.event.EventField;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import gilmok.event.Rfc3339;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds events from the values of an upload, by a format's rules. A wrong value in a field that
 * the event needs rejects the record; in any other field it becomes an attribute of the name that
 * the app gave it.
 *
 * <p>Not thread-safe: part of its decoder.
 */
final class FormatValues implements PointedValues {
  /** Each takes time of an event loop, and a place among the keys of repeats. */
  private static final int REJECTS_MAX = 10_000;

  private static final int FIELDS = EventField.values().length;
  private static final byte[] DEVICE = utf8("device");
  private static final int UNSET = Integer.MAX_VALUE;

  private final Format format;
  private final FieldRule[] rules;
  private final byte[][] attributes;
  private final SharedValue[] shared;
  private final int[] sharedRules;

  private final boolean hasAlternatives; // several rules may set one field
  private final MemberNames kept;
  private final RiderNames riders = new RiderNames();
  private final FormatConstants constants;
  private final Event event = new Event();
  private final Rfc3339 times = new Rfc3339();
  private final Decimal decimal = new Decimal();
  private final int[] setBy = new int[FIELDS];
  private DialectEvent out = new DialectEvent();
  private byte[] source = {};
  private int given;
  private boolean isInRecord;
  private String field = "";
  private @Nullable String reason;
  private RecordRule rule = RecordRule.NONE;
  private @Nullable String ownDevice;
  private long arrivalMillis;

  FormatValues(Format format) {
    this.format = format;
    rules = format.fields().toArray(FieldRule[]::new);
    shared = new SharedValue[rules.length];
    attributes = new byte[rules.length][];
    for (int i = 0; i < rules.length; i++) {
      shared[i] = new SharedValue();
      attributes[i] = utf8(rules[i].attribute());
    }
    sharedRules =
        IntStream.range(0, rules.length)
            .filter(i -> !(rules[i].source() instanceof ValueSource.InRecord))
            .toArray();
    hasAlternatives =
        format.fields().stream().map(FieldRule::field).distinct().count() < rules.length;
    kept = new MemberNames(format.others().kept());
    constants = new FormatConstants(format.constants());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Begins an upload.
   *
   * @param ownDevice the device of records that name none; null for none
   */
  void upload(DialectEvent out, @Nullable String ownDevice, long arrivalMillis) {
    this.out = out;
    this.ownDevice = ownDevice;
    this.arrivalMillis = arrivalMillis;
    isInRecord = false;
    riders.clear();
    source = new byte[0];
    event.source(source);
  }

  /**
   * Forgets what the upload before had for all its records.
   *
   * @param rule what the next upload's sender may not send
   */
  void clear(RecordRule rule) {
    this.rule = rule;
    for (SharedValue one : shared) {
      one.clear();
    }
  }

  /** Sets a value that belongs to all records: from a header, the query, the path. */
  void share(int rule, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      byte[] bytes = utf8(text);
      shared[rule].keep(bytes, 0, bytes.length, false);
    }
  }

  @Override
  public void begin(int index) {
    event.clear(format.kind());
    given = 0;
    reason = null;
    isInRecord = true;
    if (hasAlternatives) {
      Arrays.fill(setBy, UNSET);
    }
  }

  @Override
  public void text(int rule, byte[] bytes, int offset, int length, boolean isPlain) {
    if (isTaken(rule)) {
      return;
    }
    if (!isInRecord) {
      shared[rule].keep(bytes, offset, length, false);
      return;
    }
    if (isPlain && bytes != source) {
      source = bytes;
      event.source(bytes);
    }
    setText(rule, bytes, offset, length, isPlain);
  }

  @Override
  public void number(int rule, Decimal number, byte[] bytes, int offset, int length) {
    if (isTaken(rule)) {
      return;
    }
    if (isInRecord) {
      setNumber(rule, number, bytes, offset, length);
    } else {
      shared[rule].keep(bytes, offset, length, true);
    }
  }

  @Override
  public @Nullable JsonBuffer other(int rule) {
    if (isTaken(rule)) {
      return null;
    }
    if (!isInRecord) {
      shared[rule].fault(fault(rule));
      return null;
    }
    if (isNeeded(rules[rule].field())) {
      reject(rules[rule].source().label(), fault(rule));
      return null;
    }
    return event.attributes().member(false, attributes[rule], 0, attributes[rule].length);
  }

  private String fault(int rule) {
    return switch (rules[rule].field().shape()) {
      case NUMBER -> Reason.NOT_A_NUMBER;
      case TIME -> Reason.NOT_A_TIME;
      case TEXT, MEMBERS -> Reason.NOT_A_STRING;
    };
  }

  @Override
  public void unusable(int rule, String why) {
    if (isInRecord) {
      reject(rules[rule].source().label(), why);
    } else {
      shared[rule].fault(why);
    }
  }

  @Override
  public @Nullable JsonBuffer member(byte[] name, int offset, int length) {
    return kept.isKept(name, offset, length) && !constants.hasName(name, offset, length)
        ? event.attributes().member(false, name, offset, length)
        : null;
  }

  @Override
  public void end(int index, int start, int end, @Nullable String fault) {
    if (fault != null) {
      reject(EventField.ATTRIBUTES.label(), fault);
    }
    for (int i : sharedRules) {
      setShared(i);
    }
    if (!event.has(EventField.RIDER_ID) && ownDevice != null) {
      byte[] own = utf8(ownDevice);
      setRider(EventField.RIDER_ID.label(), own, 0, own.length);
    }
    constants.write(event.attributes());
    EventField missing = reason == null ? event.fault() : null;
    if (missing != null) {
      reject(format.labelOf(missing), event.faultReason());
    }
    if (reason == null && rule.forbids(event)) {
      reject(JsonDecoder.KEY, Reason.KEY_OF_ANYBODY);
    }
    Events events = out.events();
    if (reason == null) {
      events.add(event, index);
    } else {
      events.reject(index, field, reason, start, end);
    }
  }

  @Override
  public boolean isFull() {
    return out.events().rejectCount() >= REJECTS_MAX;
  }

  @Override
  public void reject(int index, int start, int end, String why) {
    out.events().reject(index, "", why, start, end);
  }

  /** Whether a value was sent before, in the same record or for all records. */
  private boolean isTaken(int rule) {
    boolean isTwice = isInRecord ? (given >>> rule & 1) != 0 : shared[rule].isSent();
    given |= isInRecord ? 1 << rule : 0;
    if (isTwice) {
      unusable(rule, Reason.GIVEN_TWICE);
    }
    return isTwice;
  }

  private void setShared(int rule) {
    SharedValue value = shared[rule];
    switch (rules[rule].source()) {
      case ValueSource.Constant(String text) -> {
        byte[] bytes = utf8(text);
        setText(rule, bytes, 0, bytes.length, false);
      }
      case ValueSource.Arrival _ -> setTime(rule, arrivalMillis);
      default -> {
        String fault = value.fault();
        if (fault != null) {
          reject(rules[rule].source().label(), fault);
        } else if (value.isSent() && value.isNumber()) {
          int _ = decimal.scan(value.bytes(), 0);
          setNumber(rule, decimal, value.bytes(), 0, value.length());
        } else if (value.isSent()) {
          setText(rule, value.bytes(), 0, value.length(), false);
        }
      }
    }
  }

  /** Whether a rule before this one has set its field already. */
  private boolean isBehind(int rule) {
    return hasAlternatives && setBy[rules[rule].field().code()] < rule;
  }

  private void setText(int rule, byte[] bytes, int offset, int length, boolean isPlain) {
    FieldRule by = rules[rule];
    if (length == 0 || isBehind(rule) || by.isUnknown(bytes, offset, length)) {
      return;
    }
    switch (by.field().shape()) {
      case TEXT -> setTextField(rule, by, bytes, offset, length, isPlain);
      case NUMBER -> {
        double number = PhoneNumbers.of(new String(bytes, offset, length, StandardCharsets.UTF_8));
        String fault =
            Double.isNaN(number)
                ? Reason.NOT_A_NUMBER
                : event.number(by.field(), number * by.factor());
        noted(rule, fault, bytes, offset, length, true);
      }
      case TIME -> {
        long millis =
            isPlain && by.time().equals(TimeForm.USUAL)
                ? times.parseQuoted(bytes, offset)
                : PhoneTimes.NOT_A_TIME;
        if (millis == PhoneTimes.NOT_A_TIME) {
          millis = by.time().of(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }
        setTime(rule, millis);
      }
      case MEMBERS -> throw new IllegalStateException("attributes are no field of a format");
    }
  }

  private void setTextField(
      int rule, FieldRule by, byte[] bytes, int offset, int length, boolean isPlain) {
    byte[] text = bytes;
    int from = offset;
    int size = length;
    boolean isInSource = isPlain;
    if (!by.values().isEmpty()) {
      String meant = by.values().get(new String(bytes, offset, length, StandardCharsets.UTF_8));
      if (meant != null) {
        text = utf8(meant);
        from = 0;
        size = text.length;
        isInSource = false;
      }
    }
    if (by.field() == EventField.RIDER_ID) {
      setRider(by.source().label(), text, from, size);
      setBy[by.field().code()] = rule;
      return;
    }
    String fault =
        isInSource ? event.plain(by.field(), from, size) : event.text(by.field(), text, from, size);
    noted(rule, fault, text, from, size, true);
  }

  private void setNumber(int rule, Decimal number, byte[] bytes, int offset, int length) {
    FieldRule by = rules[rule];
    if (isBehind(rule) || (by.unknown() != null && by.isUnknown(number.toDouble()))) {
      return;
    }
    switch (by.field().shape()) {
      case NUMBER -> {
        String fault =
            by.factor() == 1
                ? event.number(by.field(), number)
                : event.number(by.field(), number.toDouble() * by.factor());
        noted(rule, fault, bytes, offset, length, false);
      }
      case TIME -> setTime(rule, by.time().of(number.toDouble()));
      case TEXT, MEMBERS -> setTextField(rule, by, bytes, offset, length, false);
    }
  }

  private void setTime(int rule, long millis) {
    if (isBehind(rule)) {
      return;
    }
    String fault = millis == PhoneTimes.NOT_A_TIME ? Reason.NOT_A_TIME : event.at(millis);
    if (fault == null) {
      setBy[EventField.AT.code()] = rule;
    } else {
      reject(rules[rule].source().label(), fault);
    }
  }

  /** Sets the rider that a device belongs to. */
  private void setRider(String label, byte[] bytes, int offset, int length) {
    byte[] rider = riders.riderOf(out, bytes, offset, length);
    byte[] device = riders.device();
    String fault = event.text(EventField.RIDER_ID, rider, 0, rider.length);
    if (fault != null) {
      reject(label, fault);
    } else if (!Arrays.equals(rider, device)) {
      event.attributes().member(false, DEVICE, 0, DEVICE.length).string(device, 0, device.length);
    }
  }

  /** Notes that a field was set, or what was wrong with its value. */
  private void noted(
      int rule, @Nullable String fault, byte[] bytes, int offset, int length, boolean isText) {
    if (fault == null) {
      setBy[rules[rule].field().code()] = rule;
    } else if (isNeeded(rules[rule].field())) {
      reject(rules[rule].source().label(), fault);
    } else {
      byte[] name = attributes[rule];
      JsonBuffer value = event.attributes().member(false, name, 0, name.length);
      if (isText) {
        value.string(bytes, offset, length);
      } else {
        value.raw(bytes, offset, length);
      }
    }
  }

  private boolean isNeeded(EventField which) {
    boolean isPlace = which == EventField.LAT || which == EventField.LON;
    return isPlace || format.kind().requires(which);
  }

  private void reject(String label, String why) {
    if (reason == null) {
      field = label;
      reason = why;
    }
  }
}
