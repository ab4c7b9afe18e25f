package gilmok.statements;

/**
 * Where a walk through all entries, by rider, time and id, goes on. Immutable.
 *
 * @param atMillis only entries of that rider that sort after this time and id; {@link #DONE} for
 *     none of them
 */
record EntryCursor(String riderId, long atMillis, String id) {
  /** The time of a rider all of whose entries were seen. */
  static final long DONE = Long.MAX_VALUE;

  /** Before all riders: no rider's id is empty. */
  private static final EntryCursor BEGIN = new EntryCursor("", DONE, "");

  /** Behind an entry. */
  static EntryCursor behind(StatementEntry entry) {
    return new EntryCursor(entry.riderId(), entry.atMillis(), entry.id());
  }

  /** Behind all entries of a rider. */
  static EntryCursor behind(String riderId) {
    return new EntryCursor(riderId, DONE, "");
  }

  /** Reads what {@link #text} has written; the beginning for an empty text. */
  static EntryCursor read(String text) {
    if (text.isEmpty()) {
      return BEGIN;
    }
    String[] parts = text.split(" ", 3); // ids may have spaces
    int length = Integer.parseInt(parts[1]);
    return new EntryCursor(
        parts[2].substring(0, length), Long.parseLong(parts[0]), parts[2].substring(length));
  }

  /** As a page's end. */
  String text() {
    return atMillis + " " + riderId.length() + " " + riderId + id;
  }
}
