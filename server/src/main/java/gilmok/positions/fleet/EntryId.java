package gilmok.positions.fleet;

import gilmok.redis.FlatReply;
import java.nio.charset.StandardCharsets;

/**
 * The id of an entry in a stream of Redis: {@code milliseconds-sequence}. Immutable.
 *
 * @param millis when it was added, by the clock of Redis, epoch ms
 * @param sequence among the entries of one millisecond; unsigned
 */
record EntryId(long millis, long sequence) implements Comparable<EntryId> {
  /** Before all entries. */
  static final EntryId NONE = new EntryId(0, 0);

  private static final int DIGITS_MAX = 20;

  /** Reads a value of a reply; {@link #NONE} if it is no id. */
  static EntryId of(FlatReply reply, int i) {
    if (!reply.isBytes(i)) {
      return NONE;
    }
    byte[] bytes = reply.bytes();
    int end = reply.offset(i) + reply.length(i);
    int dash = reply.offset(i);
    while (dash < end && bytes[dash] != '-') {
      dash++;
    }
    long millis = number(bytes, reply.offset(i), dash);
    long sequence = number(bytes, dash + 1, end);
    return millis < 0 || dash == end ? NONE : new EntryId(millis, sequence);
  }

  /** Reads a value of a reply that is a number; -1 if it is none. */
  static long number(FlatReply reply, int i) {
    int from = reply.offset(i);
    return reply.isBytes(i) ? number(reply.bytes(), from, from + reply.length(i)) : -1;
  }

  private static long number(byte[] bytes, int from, int to) {
    if (from >= to || to - from > DIGITS_MAX) {
      return -1;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return -1;
      }
      number = 10 * number + bytes[i] - '0';
    }
    return number;
  }

  @Override
  public int compareTo(EntryId other) {
    int byTime = Long.compare(millis, other.millis);
    return byTime != 0 ? byTime : Long.compareUnsigned(sequence, other.sequence);
  }

  /** As a command's argument. */
  byte[] bytes() {
    String text = millis + "-" + Long.toUnsignedString(sequence);
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
