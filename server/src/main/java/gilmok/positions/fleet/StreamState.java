package gilmok.positions.fleet;

import gilmok.redis.FlatReply;
import java.nio.charset.StandardCharsets;

/**
 * What Redis says of the stream, with XINFO STREAM. Immutable.
 *
 * @param first its first entry; {@link EntryId#NONE} if it has none
 * @param last the last entry that was ever added
 * @param added how many entries were ever added
 * @param length how many entries it has
 */
record StreamState(EntryId first, EntryId last, long added, long length) {
  /** There is no stream. */
  static final StreamState ABSENT = new StreamState(EntryId.NONE, EntryId.NONE, 0, 0);

  private static final byte[] FIRST = ascii("recorded-first-entry-id");
  private static final byte[] LAST = ascii("last-generated-id");
  private static final byte[] ADDED = ascii("entries-added");
  private static final byte[] LENGTH = ascii("length");

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads the reply: an array of names and values. */
  static StreamState of(FlatReply reply) {
    EntryId first = EntryId.NONE;
    EntryId last = EntryId.NONE;
    long added = 0;
    long length = 0;
    for (int name = 1; name + 1 < reply.count(); name = reply.after(name + 1)) {
      if (reply.is(name, FIRST)) {
        first = EntryId.of(reply, name + 1);
      } else if (reply.is(name, LAST)) {
        last = EntryId.of(reply, name + 1);
      } else if (reply.is(name, ADDED)) {
        added = EntryId.number(reply, name + 1);
      } else if (reply.is(name, LENGTH)) {
        length = EntryId.number(reply, name + 1);
      }
    }
    return new StreamState(first, last, added, length);
  }

  /**
   * Whether entries behind a reader's last one were removed before it could read them, or the
   * stream no longer knows what was read, as after the loss of data.
   *
   * @param read the reader's last entry
   * @param count how many entries had been added up to it
   */
  boolean hasLost(EntryId read, long count) {
    if (last.compareTo(read) <= 0) {
      return !last.equals(read) || added != count;
    }
    boolean areAllNew = first.compareTo(read) > 0 || length == 0;
    return areAllNew && added - length != count;
  }
}
