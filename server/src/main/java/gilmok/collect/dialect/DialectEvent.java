package gilmok.collect.dialect;

import gilmok.collect.json.JsonDocument;
import gilmok.event.Event;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds one event of an upload: {@link #begin}, then fields and attributes in any order, then
 * {@link #end}. A wrong value in a field that the event needs rejects the event. A wrong value in
 * any other field becomes an attribute, and so does a value for which events of its kind have no
 * field. Attributes are dropped if they exceed an event's limits, repeat a name, or are invalid
 * text; {@code attributesDropped} then says so. So one odd value never costs a position.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public final class DialectEvent {
  /** The attribute that says that something was dropped; no app sends this name. */
  static final String DROPPED = "attributesDropped";

  private static final int MEMBERS_MAX = gilmok.event.Attributes.MEMBERS_MAX - 2;
  private static final int BYTES_MAX = gilmok.event.Attributes.BYTES_MAX - 256;

  private final Event event = new Event();
  private final JsonBuffer value = new JsonBuffer();
  private final Set<String> names = new LinkedHashSet<>();
  private final SequencedSet<String> devices = new LinkedHashSet<>();
  private Events out = new Events();
  private UnaryOperator<String> riders = device -> device;
  private int index;
  private int start;
  private int end;
  private int attributeBytes;
  private boolean dropped;
  private String field = "";
  private @Nullable String reason;

  /**
   * Begins an upload.
   *
   * @param out where its events go
   * @param riders the rider of a device
   */
  public void upload(Events out, UnaryOperator<String> riders) {
    this.out = out;
    this.riders = riders;
    devices.clear();
    event.source(new byte[0]);
  }

  /** Where the upload's events go. */
  public Events events() {
    return out;
  }

  /** Notes a device of the upload; returns the rider that it belongs to. */
  public String riderOf(String device) {
    devices.add(device);
    return riders.apply(device);
  }

  /** The devices of the upload's events, in their order. */
  public SequencedSet<String> devices() {
    return devices;
  }

  /**
   * Begins an event.
   *
   * @param index the item's number in the upload, from 0
   * @param start where in the upload's bytes it starts
   * @param end where it ends
   */
  public DialectEvent begin(EventKind kind, int index, int start, int end) {
    this.index = index;
    this.start = start;
    this.end = end;
    event.clear(kind);
    names.clear();
    attributeBytes = 0;
    dropped = false;
    reason = null;
    return this;
  }

  /** Rejects the event; the first reason is kept. */
  public DialectEvent reject(String field, String reason) {
    if (this.reason == null) {
      this.field = field;
      this.reason = reason;
    }
    return this;
  }

  /**
   * Sets the device, and the rider that it belongs to.
   *
   * @param field what the app calls it
   * @param id null when it was not sent
   */
  public DialectEvent device(String field, @Nullable String id) {
    if (id == null || id.isBlank()) {
      return reject(field, Reason.MISSING);
    }
    String device = id.strip();
    String rider = riders.apply(device);
    byte[] utf8 = rider.getBytes(StandardCharsets.UTF_8);
    String fault = event.text(EventField.RIDER_ID, utf8, 0, utf8.length);
    if (fault != null) {
      return reject(field, fault);
    }
    devices.add(device);
    return rider.equals(device) ? this : attribute("device", device);
  }

  /**
   * Sets the time.
   *
   * @param field what the app calls it
   * @param millis {@link PhoneTimes#NOT_A_TIME} when what was sent is none
   */
  public DialectEvent at(String field, long millis) {
    String fault = millis == PhoneTimes.NOT_A_TIME ? Reason.NOT_A_TIME : event.at(millis);
    return fault == null ? this : reject(field, fault);
  }

  /**
   * Sets the time of an event that can do without. Returns whether it was set; if not, nothing has
   * changed.
   */
  public boolean tryAt(long millis) {
    return event.at(millis) == null;
  }

  /**
   * Sets the place of a position, or of an action.
   *
   * @param latField what the app calls the latitude
   * @param lat degrees; NaN when it was no number
   * @param lonField what the app calls the longitude
   * @param lon degrees; NaN when it was no number
   */
  public DialectEvent place(String latField, double lat, String lonField, double lon) {
    coordinate(EventField.LAT, latField, lat);
    return coordinate(EventField.LON, lonField, lon);
  }

  private DialectEvent coordinate(EventField which, String field, double degrees) {
    if (!event.kind().has(which)) {
      return attribute(field, degrees);
    }
    String fault = Double.isNaN(degrees) ? Reason.NOT_A_NUMBER : event.number(which, degrees);
    return fault == null ? this : reject(field, fault);
  }

  /**
   * Sets an optional number, in the field's unit. A number out of the field's range becomes an
   * attribute; NaN is ignored.
   */
  public DialectEvent number(EventField which, double number) {
    if (Double.isNaN(number) || event.has(which)) {
      return this;
    }
    boolean fits = event.kind().has(which) && event.number(which, number) == null;
    return fits ? this : attribute(which.label(), number);
  }

  /** Sets an optional text; one that does not fit becomes an attribute. */
  public DialectEvent text(EventField which, @Nullable String text) {
    if (text == null || text.isEmpty() || event.has(which)) {
      return this;
    }
    if (!event.kind().has(which)) {
      return attribute(which.label(), text);
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    String fault = event.text(which, utf8, 0, utf8.length);
    return fault == null ? this : attribute(which.label(), text);
  }

  /** Adds a text. */
  public DialectEvent attribute(String name, String text) {
    value.clear();
    value.string(text);
    return add(name);
  }

  /** Adds a number; ignored when it is not finite. */
  public DialectEvent attribute(String name, double number) {
    if (!Double.isFinite(number)) {
      return this;
    }
    value.clear();
    if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      value.number((long) number);
    } else {
      value.number(number);
    }
    return add(name);
  }

  /** Adds a JSON value as it was sent; ignored when it is null. */
  public DialectEvent attribute(String name, JsonDocument document, int node) {
    if (document.isNull(node)) {
      return this;
    }
    if (document.fault(node) != null) {
      return drop();
    }
    value.clear();
    document.copy(node, value);
    return add(name);
  }

  /** Adds a value that is compact JSON already. */
  public DialectEvent attribute(String name, JsonBuffer json) {
    value.clear();
    value.raw(json.bytes(), 0, json.size());
    return add(name);
  }

  /** Notes that a value was sent but cannot be kept. */
  public DialectEvent drop() {
    dropped = true;
    return this;
  }

  /** Whether everything that was sent could be kept. */
  public boolean isWhole() {
    return !dropped;
  }

  /** Ends the event: adds it to the upload's events, or rejects it. */
  public void end() {
    if (dropped) {
      value.clear();
      value.ascii("true");
      put(DROPPED, value);
    }
    EventField fault = event.fault();
    if (reason == null && fault != null) {
      reject(fault.label(), event.faultReason());
    }
    if (reason == null) {
      out.add(event, index);
    } else {
      out.reject(index, field, reason, start, end);
    }
  }

  private DialectEvent add(String name) {
    int size = 6 * name.length() + value.size() + 4;
    boolean full = names.size() >= MEMBERS_MAX || attributeBytes + size > BYTES_MAX;
    if (full || name.equals(DROPPED) || names.contains(name)) {
      return drop();
    }
    attributeBytes += size;
    names.add(name);
    put(name, value);
    return this;
  }

  private void put(String name, JsonBuffer json) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    event.attributes().member(false, utf8, 0, utf8.length).raw(json.bytes(), 0, json.size());
  }
}
