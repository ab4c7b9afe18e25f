package gilmok.statements;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the bodies of {@code POST /v1/statement-entries}: an array of entries, or one.
 *
 * <p>Not thread-safe: one for each body.
 */
final class EntryBody {
  /** Most entries of one body. */
  static final int ENTRIES_MAX = 10_000;

  private final JsonDocument document = new JsonDocument();
  private final Fields fields = new Fields(document);
  private final EntryReader reader;

  /** The result of reading a body. */
  sealed interface Read {
    /** Valid entries, at least one. */
    record Good(List<StatementEntry> entries) implements Read {}

    /** Not JSON, and why. */
    record Unreadable(String reason) implements Read {}

    /** The first wrong field, and why. */
    record Wrong(String field, String reason) implements Read {}

    /** More than {@link #ENTRIES_MAX} entries. */
    record TooMany() implements Read {}
  }

  /**
   * @param currency the currency of entries that name none
   */
  EntryBody(String currency) {
    reader = new EntryReader(document, fields, currency, false);
  }

  /** Reads a whole body. One wrong entry refuses all of them. */
  Read read(byte[] bytes, int offset, int length) {
    int root = document.read(bytes, offset, length);
    if (document.isObject(root)) {
      StatementEntry only = reader.read(root);
      return only == null
          ? new Read.Wrong(fields.field(), fields.reason())
          : new Read.Good(List.of(only));
    }
    if (!document.isArray(root)) {
      return new Read.Unreadable(
          root == JsonDocument.NONE ? document.errorReason() : "neither an array nor an object");
    }
    List<StatementEntry> entries = new ArrayList<>();
    for (int element = document.first(root);
        element != JsonDocument.NONE;
        element = document.next(element)) {
      if (entries.size() == ENTRIES_MAX) {
        return new Read.TooMany();
      }
      StatementEntry statementEntry = reader.read(element);
      if (statementEntry == null) {
        String index = "[" + entries.size() + "]";
        boolean isAll = fields.field().equals("body");
        return new Read.Wrong(isAll ? index : index + "." + fields.field(), fields.reason());
      }
      entries.add(statementEntry);
    }
    return entries.isEmpty() ? new Read.Wrong("body", "nothing in it") : new Read.Good(entries);
  }
}
