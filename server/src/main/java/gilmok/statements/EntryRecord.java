package gilmok.statements;

import gilmok.event.JsonBuffer;

/** An entry as JSON, for other features. Stateless. */
public final class EntryRecord {
  private EntryRecord() {}

  /** As {@code GET /v1/exports/statement-entries} has it. */
  public static JsonBuffer of(StatementEntry entry) {
    JsonBuffer out = new JsonBuffer();
    StatementJson.write(entry, out);
    return out;
  }
}
