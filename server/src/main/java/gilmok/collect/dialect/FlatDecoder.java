package gilmok.collect.dialect;

import gilmok.collect.dialect.FlatName.Use;
import gilmok.collect.json.JsonDocument;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes uploads that are flat lists of names and values: the parameters of a query or form, a
 * flat JSON object, or an array of such objects, told apart by the first byte that is not blank. A
 * name means the same whichever app sent it.
 *
 * <p>With {@code lat}, {@code lon} or {@code location} the upload is a position; otherwise it is a
 * heartbeat, which is kept as a log line. If a name is sent more than once, its first value is used
 * and the others become an attribute of that name; an attribute that is sent more than once becomes
 * an array.
 *
 * <p>Not thread-safe: part of its dialect.
 */
public final class FlatDecoder {
  private static final FlatName[] NAMES = FlatName.values();
  private static final int NOT_SENT = -1;

  private final JsonReader reader = new JsonReader();
  private final JsonDocument document = reader.document();
  private final FlatList list = new FlatList(document);
  private final JsonBuffer json = new JsonBuffer();
  private final Map<FlatName, Integer> sent = new EnumMap<>(FlatName.class);
  private final boolean[] used = new boolean[Parameters.COUNT_MAX];

  /** Decodes an upload, as {@link Dialect#decode} does. */
  public void decode(Upload upload, DialectEvent out) {
    if (Upload.isJson(upload.bytes(), upload.offset(), upload.end())) {
      readJson(upload, out);
    } else {
      list.take(Parameters.of(upload.bytes(), upload.offset(), upload.end()));
      event(upload, out, 0, upload.offset(), upload.end());
    }
  }

  private void readJson(Upload upload, DialectEvent out) {
    int root = reader.read(upload, out);
    if (root == JsonDocument.NONE) {
      reader.rejectAll("", document.errorReason());
    } else if (document.isArray(root)) {
      reader.each(root, (index, value) -> element(upload, out, index, value));
    } else {
      element(upload, out, 0, root);
    }
  }

  private void element(Upload upload, DialectEvent out, int index, int element) {
    if (document.isObject(element)) {
      list.take(element);
      event(upload, out, index, document.start(element), document.end(element));
    } else {
      reader.reject(index, element, "", Reason.NOT_AN_OBJECT);
    }
  }

  private void event(Upload upload, DialectEvent out, int index, int start, int end) {
    sent.clear();
    Arrays.fill(used, 0, list.count(), false);
    for (int i = list.count() - 1; i >= 0; i--) {
      FlatName name = FlatName.of(list.name(i));
      if (name != null) {
        sent.put(name, i);
      }
    }
    boolean isPosition = first(Use.PLACE) != NOT_SENT;
    out.begin(isPosition ? EventKind.POSITION : EventKind.LOG_LINE, index, start, end);
    device(out);
    time(out, upload.receivedAtMillis());
    if (isPosition) {
      place(out);
      numbers(out);
      provider(out);
    } else {
      out.text(EventField.LEVEL, "info").text(EventField.MESSAGE, "heartbeat");
    }
    attributes(out);
    out.end();
  }

  /** The index of the first value that was sent under a name of that use. */
  private int first(Use use) {
    for (FlatName name : NAMES) {
      if (name.use == use && sent.containsKey(name)) {
        return sent(name);
      }
    }
    return NOT_SENT;
  }

  private int sent(FlatName name) {
    return sent.getOrDefault(name, NOT_SENT);
  }

  private void device(DialectEvent out) {
    int i = first(Use.DEVICE);
    if (i == NOT_SENT) {
      out.device(FlatName.ID.label, null);
      return;
    }
    used[i] = true;
    String fault = list.textFault(i);
    if (fault == null) {
      out.device(list.name(i), list.text(i));
    } else {
      out.reject(list.name(i), fault);
    }
  }

  private void time(DialectEvent out, long receivedAtMillis) {
    int i = first(Use.TIME);
    if (i == NOT_SENT) {
      out.at(FlatName.TIMESTAMP.label, receivedAtMillis);
      return;
    }
    used[i] = true;
    String text = list.text(i);
    double number = list.number(i);
    long iso = text == null ? PhoneTimes.NOT_A_TIME : PhoneTimes.iso(text);
    out.at(list.name(i), Double.isNaN(number) ? iso : PhoneTimes.epoch(number));
  }

  private void place(DialectEvent out) {
    int lat = sent(FlatName.LAT);
    int lon = sent(FlatName.LON);
    if (lat == NOT_SENT && lon == NOT_SENT) {
      location(out, sent(FlatName.LOCATION));
    } else if (lat == NOT_SENT || lon == NOT_SENT) {
      out.reject((lat == NOT_SENT ? FlatName.LAT : FlatName.LON).label, Reason.MISSING);
    } else {
      used[lat] = true;
      used[lon] = true;
      out.place(list.name(lat), list.degrees(lat), list.name(lon), list.degrees(lon));
    }
  }

  private void location(DialectEvent out, int i) {
    used[i] = true;
    String field = list.name(i);
    String text = list.text(i);
    int comma = text == null ? -1 : text.indexOf(',');
    if (text == null || comma < 0) {
      out.reject(field, text == null ? Reason.NOT_A_STRING : Reason.NOT_A_NUMBER);
      return;
    }
    double lat = PhoneNumbers.of(text.substring(0, comma));
    out.place(field, lat, field, PhoneNumbers.of(text.substring(comma + 1)));
  }

  /** Sets the numeric fields; what does not fit one is left for the attributes. */
  private void numbers(DialectEvent out) {
    int set = 0;
    for (FlatName name : NAMES) {
      EventField eventField = name.field;
      int i = sent(name);
      if (eventField == null || i == NOT_SENT || (set & (1 << eventField.code())) != 0) {
        continue;
      }
      double number = name.inFieldUnit(list.number(i));
      if (number >= eventField.min() && number <= eventField.max()) {
        out.number(eventField, number);
        set |= 1 << eventField.code();
        used[i] = true;
      }
    }
  }

  private void provider(DialectEvent out) {
    int i = first(Use.PROVIDER);
    if (i != NOT_SENT && list.textFault(i) == null) {
      out.text(EventField.PROVIDER, list.text(i));
      used[i] = true;
    }
  }

  private void attributes(DialectEvent out) {
    for (int i = 0; i < list.count(); i++) {
      if (!used[i]) {
        attribute(out, i);
      }
    }
    if (!list.isWhole()) {
      out.drop();
    }
  }

  /** Adds a value as an attribute, together with later values of the same name. */
  private void attribute(DialectEvent out, int first) {
    String name = list.name(first);
    FlatName known = FlatName.of(name);
    @Nullable Use use = known == null ? null : known.use;
    int next = nextOf(name, first);
    boolean isArray = next != NOT_SENT || (use == Use.TEXTS && !list.isArray(first));
    json.clear();
    char separator = '[';
    for (int i = first; i != NOT_SENT; i = nextOf(name, i)) {
      used[i] = true;
      if (!list.isSound(i)) {
        out.drop();
        continue;
      }
      if (isArray) {
        json.put(separator);
        separator = ',';
      }
      list.write(i, use, json);
    }
    if (json.size() > 0) {
      out.attribute(name, isArray ? json.put(']') : json);
    }
  }

  private int nextOf(String name, int after) {
    for (int i = after + 1; i < list.count(); i++) {
      if (!used[i] && list.name(i).equals(name)) {
        return i;
      }
    }
    return NOT_SENT;
  }
}
