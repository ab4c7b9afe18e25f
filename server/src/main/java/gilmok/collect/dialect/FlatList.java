package gilmok.collect.dialect;

import gilmok.collect.json.JsonDocument;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Names and values in the order in which they were sent, as parameters or as the members of a JSON
 * object. An empty or null value counts as not sent.
 *
 * <p>Not thread-safe: part of its decoder.
 */
final class FlatList {
  private static final int COUNT_MAX = Parameters.COUNT_MAX;

  private final JsonDocument document;
  private final String[] names = new String[COUNT_MAX];
  private final @Nullable String[] texts = new String[COUNT_MAX];
  private final int[] nodes = new int[COUNT_MAX];
  private int count;
  private boolean isWhole;
  private boolean isValid;

  FlatList(JsonDocument document) {
    this.document = document;
  }

  /** Reads parameters. */
  void take(Parameters parameters) {
    clear();
    isWhole = parameters.isWhole();
    isValid = parameters.isText();
    for (int i = 0; i < parameters.count(); i++) {
      add(parameters.name(i), parameters.value(i), JsonDocument.NONE);
    }
  }

  /** Reads the members of an object of the document. */
  void take(int object) {
    clear();
    int member = document.first(object);
    for (; member != JsonDocument.NONE && count < COUNT_MAX; member = document.next(member)) {
      if (!document.isNull(member)) {
        add(document.name(member), scalar(member), member);
      }
    }
    isWhole = member == JsonDocument.NONE;
  }

  private void clear() {
    count = 0;
    isWhole = true;
    isValid = true;
  }

  private void add(String name, @Nullable String text, int node) {
    boolean isEmpty = text != null && text.isEmpty();
    if (!isEmpty || (node != JsonDocument.NONE && document.fault(node) != null)) {
      names[count] = name;
      texts[count] = text;
      nodes[count] = node;
      count++;
    }
  }

  /** The text of a value that is neither array nor object, as it would be in a query. */
  private @Nullable String scalar(int node) {
    return document.isBoolean(node)
        ? Boolean.toString(document.isTrue(node))
        : document.scalar(node);
  }

  int count() {
    return count;
  }

  String name(int i) {
    return names[i];
  }

  /** The value as text; null when it is an array or object. */
  @Nullable String text(int i) {
    return texts[i];
  }

  /** The value as a number; NaN when it is none. */
  double number(int i) {
    String text = texts[i];
    return text == null ? Double.NaN : PhoneNumbers.of(text);
  }

  /** The value as degrees; accepts the comma that some phones write for the decimal point. */
  double degrees(int i) {
    double number = number(i);
    String text = texts[i];
    boolean again = Double.isNaN(number) && text != null && text.indexOf('.') < 0;
    return again ? PhoneNumbers.of(text.replace(',', '.')) : number;
  }

  /** Why the value is not a text that can be kept; null if it is one. */
  @Nullable String textFault(int i) {
    String text = texts[i];
    if (text == null) {
      return Reason.NOT_A_STRING;
    }
    if (nodes[i] != JsonDocument.NONE) {
      return document.fault(nodes[i]);
    }
    return isValid || text.indexOf('\ufffd') < 0 ? null : Reason.INVALID_UTF8;
  }

  /** Whether the list holds everything that was sent. */
  boolean isWhole() {
    return isWhole;
  }

  /** Whether the value can be kept as an attribute. */
  boolean isSound(int i) {
    return nodes[i] == JsonDocument.NONE || document.fault(nodes[i]) == null;
  }

  /**
   * Writes a sound value as JSON: a member as it was sent; a parameter as the type that it looks
   * like.
   */
  void write(int i, FlatName.@Nullable Use use, JsonBuffer out) {
    String text = texts[i];
    if (text == null || nodes[i] != JsonDocument.NONE) {
      document.copy(nodes[i], out);
      return;
    }
    boolean plain = use == FlatName.Use.TEXT || use == FlatName.Use.TEXTS;
    boolean truth = use == FlatName.Use.TRUTH;
    if (!plain && (text.equals("true") || (truth && text.equals("1")))) {
      out.ascii("true");
    } else if (!plain && (text.equals("false") || (truth && text.equals("0")))) {
      out.ascii("false");
    } else if (!plain && PhoneNumbers.isJson(text)) {
      out.ascii(text);
    } else {
      out.string(text);
    }
  }

  /** Whether the value is a JSON array. */
  boolean isArray(int i) {
    return document.isArray(nodes[i]);
  }
}
