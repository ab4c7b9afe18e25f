package gilmok.positions.fleet;

import gilmok.collect.json.DecodeOutcome;
import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.positions.PositionBatch;
import gilmok.redis.FlatReply;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the positions in Redis' replies. Of a position that this node has collected it reads the
 * record's id only. What is no position is skipped and counted, and the first one is named in the
 * log.
 *
 * <p>Not thread-safe: owned by its source.
 */
final class RedisRecords {
  private static final Logger LOGGER = System.getLogger("gilmok.positions");
  private static final byte[] RECORD_ID = ascii("recordId");
  private static final byte[] RECEIVED_AT = ascii("receivedAt");
  private static final byte[] RECORD = ascii("record");

  /** What the sink adds to a record in a hash, before the id. */
  private static final byte[] ID_MEMBER = ascii(",\"recordId\":");

  private static final int ID_BYTES_MAX = 64;
  private static final int TIME_DIGITS_MAX = 13;

  private final byte[] own;
  private final FleetMeters meters;
  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();
  private boolean isTold;

  /**
   * @param node this node
   */
  RedisRecords(String node, FleetMeters meters) {
    own = ascii(node + ":");
    this.meters = meters;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Adds the entries of XREAD's reply to the batch.
   *
   * @return how many entries there were; own and invalid ones count
   */
  int readEntries(FlatReply reply, PositionBatch batch) {
    int count = Math.max(0, reply.elements(3));
    int at = 4;
    for (int i = 0; i < count; i++) {
      readEntry(reply, at, batch);
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
  private void readEntry(FlatReply reply, int at, PositionBatch batch) {
    int record = -1;
    long receivedAt = PositionBatch.UNKNOWN;
    int end = at + 3 + Math.max(0, reply.elements(at + 2));
    for (int name = at + 3; name + 1 < end; name += 2) {
      if (reply.is(name, RECORD_ID)) {
        if (isOwn(reply, name + 1)) {
          meters.own();
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
      reason = read(reply.bytes(), offset, reply.length(record), receivedAt, batch);
    } else if (record >= 0) {
      reason = "its record is too long";
    }
    if (reason != null) {
      skip("entry", reply, at + 1, reason);
    }
  }

  private boolean isOwn(FlatReply reply, int i) {
    int offset = reply.offset(i);
    return reply.isBytes(i)
        && reply.length(i) > own.length
        && Arrays.equals(reply.bytes(), offset, offset + own.length, own, 0, own.length);
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
   * Adds the riders of HSCAN's reply to the batch.
   *
   * @return where the next page begins; null if the reply is none
   */
  byte @Nullable [] readPage(FlatReply reply, PositionBatch batch) {
    if (!reply.isBytes(1) || reply.elements(2) < 0) {
      return null;
    }
    int end = 3 + reply.elements(2);
    for (int rider = 3; rider + 1 < end; rider += 2) {
      String reason = readLatest(reply, rider + 1, batch);
      if (reason != null) {
        skip("rider", reply, rider, reason);
      }
    }
    int next = reply.offset(1);
    return Arrays.copyOfRange(reply.bytes(), next, next + reply.length(1));
  }

  /** Reads a record that has the record's id as its last member. */
  private @Nullable String readLatest(FlatReply reply, int i, PositionBatch batch) {
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
    return read(bytes, from, member + 1 - from, PositionBatch.UNKNOWN, batch);
  }

  /** Adds a record to the batch; returns why it cannot be, null if it was added. */
  private @Nullable String read(
      byte[] bytes, int offset, int length, long receivedAt, PositionBatch batch) {
    DecodeOutcome outcome = decoder.decode(EventKind.POSITION, bytes, offset, length, events);
    if (outcome != DecodeOutcome.READ) {
      return "not JSON";
    }
    if (events.rejectCount() > 0) {
      return events.rejectField(0) + " " + events.rejectReason(0);
    }
    if (events.count() != 1) {
      return "not one record";
    }
    batch.add(events.bytes(), events.offset(0), events.length(0), receivedAt);
    return null;
  }

  private void skip(String kind, FlatReply reply, int name, String reason) {
    meters.invalid();
    if (!isTold) {
      isTold = true;
      String named =
          reply.isBytes(name)
              ? new String(
                  reply.bytes(),
                  reply.offset(name),
                  Math.min(reply.length(name), ID_BYTES_MAX),
                  StandardCharsets.UTF_8)
              : "";
      LOGGER.log(
          Level.WARNING,
          "the {0} {1} in Redis is no position and is skipped ({2}); further ones are only counted",
          kind,
          named,
          reason);
    }
  }
}
