package gilmok.collect.dialect;

import gilmok.collect.json.JsonDocument;
import gilmok.event.Attributes;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.Reason;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON upload for the dialects whose JSON is structured: sets an event's fields from
 * values, and handles values that do not fit a field.
 *
 * <p>Not thread-safe: part of its dialect, reused from upload to upload.
 */
public final class JsonReader {
  private static final int NONE = JsonDocument.NONE;

  /** The bytes that a member takes besides its name and value. */
  private static final int MEMBER_BYTES = 4;

  private final JsonDocument document = new JsonDocument();
  private Upload upload = Upload.of("", 0);
  private DialectEvent out = new DialectEvent();
  private int sharedLeft;
  private String deviceField = "";
  private @Nullable String deviceId;

  /**
   * Reads an upload.
   *
   * @param out receives everything that follows
   * @return the outermost value; {@link JsonDocument#NONE} when it is no JSON
   */
  public int read(Upload upload, DialectEvent out) {
    this.upload = upload;
    this.out = out;
    sharedLeft = Attributes.BYTES_MAX + upload.length() / 2;
    return document.read(upload.bytes(), upload.offset(), upload.length());
  }

  /** The parsed upload. */
  public JsonDocument document() {
    return document;
  }

  /** Rejects the whole upload, as one reject. */
  public void rejectAll(String field, String reason) {
    out.begin(EventKind.POSITION, 0, upload.offset(), upload.end()).reject(field, reason).end();
  }

  /** Rejects one item. */
  public void reject(int index, int value, String field, String reason) {
    begin(EventKind.POSITION, index, value).reject(field, reason).end();
  }

  /** What is done with each item of an upload. */
  public interface Each {
    void take(int index, int value);
  }

  /**
   * Handles each element of a list, up to {@link Upload#EVENTS_MAX}. If there are more, the rest of
   * the list is one reject.
   *
   * @return how many there were; that reject counts as one
   */
  public int each(int list, Each each) {
    int index = 0;
    for (int value = document.first(list); value != NONE; value = document.next(value)) {
      if (index == Upload.EVENTS_MAX) {
        out.begin(EventKind.POSITION, index, document.start(value), document.end(list));
        out.reject("", Reason.TOO_LARGE).end();
        return index + 1;
      }
      each.take(index++, value);
    }
    return index;
  }

  /** Begins an event from a value. */
  public DialectEvent begin(EventKind kind, int index, int value) {
    return out.begin(kind, index, document.start(value), document.end(value));
  }

  /** Begins a log line from a value. */
  public void beginLog(int index, int value, String message) {
    begin(EventKind.LOG_LINE, index, value)
        .text(EventField.LEVEL, "info")
        .text(EventField.MESSAGE, message);
  }

  /**
   * Sets the device.
   *
   * @param field what the app calls it
   * @param candidates the values that may hold it: the first that is not blank counts; if there is
   *     none, the upload's own device
   * @return the one that counted; {@link JsonDocument#NONE} if none did
   */
  public int device(String field, int... candidates) {
    deviceField = field;
    deviceId = null;
    for (int candidate : candidates) {
      String id = document.scalar(candidate);
      String fault = document.fault(candidate);
      boolean blank = id != null && id.isBlank() && fault == null;
      if (!document.isNull(candidate) && !blank) {
        fault = id == null ? Reason.NOT_A_STRING : fault;
        if (fault == null) {
          deviceId = id;
          out.device(field, id);
        } else {
          out.reject(field, fault);
        }
        return candidate;
      }
    }
    out.device(field, upload.device());
    return NONE;
  }

  /** Whether a member only repeats the device, or is blank. */
  private boolean isDevice(String name, int value) {
    if (!name.equals(deviceField)) {
      return false;
    }
    String id = document.scalar(value);
    return id != null && (id.isBlank() || id.equals(deviceId));
  }

  /** Sets the time of a position; a missing or wrong one rejects the position. */
  public void at(String field, int value, long millis) {
    if (document.isNull(value)) {
      out.reject(field, Reason.MISSING);
    } else {
      out.at(field, millis);
    }
  }

  /**
   * Sets the time of a log line. A missing or wrong one is replaced by the time of arrival, and
   * kept as an attribute.
   */
  public void atOrNow(String field, int value, long millis) {
    if (!out.tryAt(millis)) {
      out.at(field, upload.receivedAtMillis()).attribute(field, document, value);
    }
  }

  /** Sets the place of a position. */
  public void place(String latField, int lat, String lonField, int lon) {
    if (document.isNull(lat) || document.isNull(lon)) {
      out.reject(document.isNull(lat) ? latField : lonField, Reason.MISSING);
    } else {
      out.place(latField, document.number(lat), lonField, document.number(lon));
    }
  }

  /**
   * Sets an optional number; a value that is no number becomes an attribute.
   *
   * @param divisor how many of the app's units make one of the field's
   * @param name what the app calls it
   */
  public void number(EventField which, double divisor, String name, int value) {
    double number = document.number(value) / divisor;
    if (Double.isFinite(number)) {
      out.number(which, number);
    } else {
      out.attribute(name, document, value);
    }
  }

  /** Sets a number in the field's unit; -1 means unknown. */
  public void known(EventField which, String name, int value) {
    if (document.number(value) != -1) {
      number(which, 1, name, value);
    }
  }

  /** Sets a text, or a number as it is spelled; any other value becomes an attribute. */
  public void text(EventField which, String name, int value) {
    String text = document.scalar(value);
    if (text == null || document.fault(value) != null) {
      out.attribute(name, document, value);
    } else {
      out.text(which, text);
    }
  }

  /**
   * Adds a value as an attribute, unless it repeats the device or is an accuracy of -1, which means
   * unknown.
   */
  public void attribute(String name, int value) {
    boolean unknown = document.number(value) == -1 && name.endsWith("_accuracy");
    if (!unknown && !isDevice(name, value)) {
      out.attribute(name, document, value);
    }
  }

  /**
   * Adds the members of an object as attributes; ignores any other value.
   *
   * @param but the names of those that are not added
   */
  public void attributes(int object, Set<String> but) {
    int first = document.isObject(object) ? document.first(object) : NONE;
    for (int member = first; member != NONE; member = document.next(member)) {
      String name = document.name(member);
      if (!but.contains(name)) {
        attribute(name, member);
      }
    }
  }

  /**
   * Adds to an event the members of a value that belongs to all events. In total they may take up
   * to half the upload's bytes plus what one event can hold: otherwise a short upload would become
   * a long one, and take long to read. Events after that get none.
   *
   * @param but the names of those that are not added
   */
  public void shared(int object, Set<String> but) {
    int member = document.isObject(object) ? document.first(object) : NONE;
    for (; member != NONE && sharedLeft > 0; member = document.next(member)) {
      sharedLeft -= MEMBER_BYTES;
      String name = document.name(member);
      if (!but.contains(name)) {
        sharedLeft -= name.length() + document.end(member) - document.start(member);
        attribute(name, member);
      }
    }
    if (member != NONE) {
      out.drop();
    }
  }

  /** A text that is not empty and can be kept; null if the value is none. */
  public @Nullable String textOf(int value) {
    String text = document.text(value);
    boolean sound = text != null && !text.isEmpty() && document.fault(value) == null;
    return sound ? text : null;
  }
}
