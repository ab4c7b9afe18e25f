package gilmok.ledger;

import gilmok.storage.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * A record's id among all nodes, written {@code node:sequence}.
 *
 * @param sequence its number in that node's log
 */
record RecordId(NodeId node, long sequence) {
  private static final int DIGITS_MAX = 18;

  /** Reads the written form; null when the text is no record id. */
  static @Nullable RecordId of(String text) {
    int colon = text.indexOf(':');
    long sequence = sequence(text.substring(colon + 1));
    if (colon < 0 || sequence < 1) {
      return null;
    }
    try {
      return new RecordId(NodeId.parse(text.substring(0, colon)), sequence);
    } catch (IllegalArgumentException none) {
      return null;
    }
  }

  /** Parses a sequence without leading zeros; -1 for any other text. */
  static long sequence(String digits) {
    boolean fits = !digits.isEmpty() && digits.length() <= DIGITS_MAX && !digits.startsWith("0");
    return fits && digits.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.parseLong(digits) : -1;
  }
}
