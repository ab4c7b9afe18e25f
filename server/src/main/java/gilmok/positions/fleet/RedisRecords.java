package gilmok.positions.fleet;

import gilmok.positions.PositionBatch;
import gilmok.redis.FlatReply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the positions in Redis' replies. Of a position that this node has collected it reads the
 * record's id only. No state.
 */
final class RedisRecords {
  private static final byte[] RECORD_ID = ascii("recordId");
  private static final byte[] RECEIVED_AT = ascii("receivedAt");
  private static final byte[] RECORD = ascii("record");

  /** What the sink adds to a record in a hash, before the id. */
  private static final byte[] ID_MEMBER = ascii(",\"recordId\":");

  private static final int ID_BYTES_MAX = 64;
  private static final int TIME_DIGITS_MAX = 13;

  private RedisRecords() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Adds the entries of XREAD's reply to the records.
   *
   * @return how many entries there were; own and invalid ones count
   */
  static int readEntries(FlatReply reply, FleetRecords records) {
    int count = Math.max(0, reply.elements(3));
    int at = 4;
    for (int i = 0; i < count; i++) {
      readEntry(reply, at, records);
      at = reply.after(at);
    }
    return count;
  }

  /** The id of the last entry of XREAD's reply, which has so many. */
  static EntryId lastId(FlatReply reply, int count) {
    int at = 4;
    for (int i = 1; i < count; i++) {
      at = reply.after(at);
    }
    return EntryId.of(reply, at + 1);
  }

  /** Reads an entry: an array of its id and an array of names and values. */
  private static void readEntry(FlatReply reply, int at, FleetRecords records) {
    int record = -1;
    long receivedAt = PositionBatch.UNKNOWN;
    int end = at + 3 + Math.max(0, reply.elements(at + 2));
    for (int name = at + 3; name + 1 < end; name += 2) {
      if (reply.is(name, RECORD_ID)) {
        int id = name + 1;
        if (reply.isBytes(id) && records.isOwn(reply.bytes(), reply.offset(id), reply.length(id))) {
          return;
        }
      } else if (reply.is(name, RECORD)) {
        record = name + 1;
      } else if (reply.is(name, RECEIVED_AT)) {
        receivedAt = time(reply, name + 1);
      }
    }
    if (receivedAt == PositionBatch.UNKNOWN) { // of a server that did not write it yet
      receivedAt = EntryId.of(reply, at + 1).millis();
    }
    String reason = "it has no record";
    if (record >= 0 && reply.isBytes(record)) {
      int offset = reply.offset(record);
      reason = records.add(reply.bytes(), offset, reply.length(record), receivedAt);
    } else if (record >= 0) {
      reason = "its record is too long";
    }
    if (reason != null) {
      records.skip(new Named("entry", reply, at + 1), reason);
    }
  }

  private static long time(FlatReply reply, int i) {
    if (!reply.isBytes(i) || reply.length(i) < 1 || reply.length(i) > TIME_DIGITS_MAX) {
      return PositionBatch.UNKNOWN;
    }
    long time = 0;
    for (int p = reply.offset(i); p < reply.offset(i) + reply.length(i); p++) {
      int digit = reply.bytes()[p] - '0';
      if (digit < 0 || digit > 9) {
        return PositionBatch.UNKNOWN;
      }
      time = 10 * time + digit;
    }
    return time;
  }

  /**
   * Adds the riders of HSCAN's reply to the records.
   *
   * @return where the next page begins; null if the reply is none
   */
  static byte @Nullable [] readPage(FlatReply reply, FleetRecords records) {
    if (!reply.isBytes(1) || reply.elements(2) < 0) {
      return null;
    }
    int end = 3 + reply.elements(2);
    for (int rider = 3; rider + 1 < end; rider += 2) {
      String reason = readLatest(reply, rider + 1, records);
      if (reason != null) {
        records.skip(new Named("rider", reply, rider), reason);
      }
    }
    int next = reply.offset(1);
    return Arrays.copyOfRange(reply.bytes(), next, next + reply.length(1));
  }

  /** Reads a record that has the record's id as its last member. */
  private static @Nullable String readLatest(FlatReply reply, int i, FleetRecords records) {
    if (!reply.isBytes(i)) {
      return "its record is too long";
    }
    byte[] bytes = reply.bytes();
    int from = reply.offset(i);
    int quote = from + reply.length(i) - 3; // before the last quote and the brace
    int least = Math.max(from + ID_MEMBER.length, quote - ID_BYTES_MAX);
    while (quote > least && bytes[quote] != '"') {
      quote--;
    }
    int member = quote - ID_MEMBER.length;
    if (quote < least || !Arrays.equals(bytes, member, quote, ID_MEMBER, 0, ID_MEMBER.length)) {
      return "it does not end with the record's id";
    }
    bytes[member] = '}';
    return records.add(bytes, from, member + 1 - from, PositionBatch.UNKNOWN);
  }

  /** What is skipped, for the operator; valid until the next reply. */
  private record Named(String kind, FlatReply reply, int name) {
    @Override
    public String toString() {
      String text =
          reply.isBytes(name)
              ? new String(
                  reply.bytes(),
                  reply.offset(name),
                  Math.min(reply.length(name), ID_BYTES_MAX),
                  StandardCharsets.UTF_8)
              : "";
      return "the " + kind + " " + text + " in Redis";
    }
  }
}
