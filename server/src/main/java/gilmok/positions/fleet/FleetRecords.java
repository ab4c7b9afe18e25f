package gilmok.positions.fleet;

import gilmok.collect.json.DecodeOutcome;
import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.Rfc3339;
import gilmok.positions.PositionBatch;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the records that a {@link FleetSource} reads, as JSON, and keeps the positions. Of a record
 * that this node has collected, the source asks by its id. What is no position is skipped and
 * counted, and the first one is named in the log.
 *
 * <p>Not thread-safe: owned by the follower's loop.
 */
public final class FleetRecords {
  /** More bytes than any record that was collected has. */
  public static final int BYTES_MAX = 1 << 16;

  private static final Logger LOGGER = System.getLogger("gilmok.positions");
  private static final byte[] RECEIVED_AT = ascii(",\"receivedAt\":\"");
  private static final byte[] RECORD = ascii("\",\"record\":");
  private static final byte[] FLAGS = ascii("},\"flags\":[");

  /** What a shipped line has before its time of arrival, and after its record, is shorter. */
  private static final int BESIDE_MAX = 512;

  private static final int TIME_BYTES_MAX = 24;

  private final byte[] own;
  private final FleetMeters meters;
  private final PositionBatch batch;
  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();
  private boolean isTold;

  /**
   * @param node this node
   * @param batch gets the positions
   */
  FleetRecords(String node, FleetMeters meters, PositionBatch batch) {
    own = ascii(node + ":");
    this.meters = meters;
    this.batch = batch;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Counts a begin: all riders are read anew. */
  public void begun() {
    meters.rebuild();
  }

  /** How many positions there are since the last reading. */
  public int count() {
    return batch.count();
  }

  /**
   * Whether a record comes from this node, which need not be read then: it is counted as its own.
   *
   * @param offset where the record's id begins, {@code node:sequence}
   */
  public boolean isOwn(byte[] bytes, int offset, int length) {
    boolean isOwn =
        length > own.length
            && Arrays.equals(bytes, offset, offset + own.length, own, 0, own.length);
    if (isOwn) {
      meters.own();
    }
    return isOwn;
  }

  /**
   * Adds a position.
   *
   * @param receivedAt when it arrived at its node, epoch ms; or {@link PositionBatch#UNKNOWN}
   * @return why it is none; null if it was added
   */
  public @Nullable String add(byte[] bytes, int offset, int length, long receivedAt) {
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

  /**
   * Adds the position of a line as sinks ship it, with the time of its arrival.
   *
   * @return why there is none; null if it was added
   */
  public @Nullable String addShipped(byte[] line) {
    if (line.length > BYTES_MAX + BESIDE_MAX) {
      return "it is too long";
    }
    int time = find(RECEIVED_AT, line, 0, Math.min(line.length, BESIDE_MAX));
    if (time < 0) {
      return "it has no receivedAt";
    }
    time += RECEIVED_AT.length;
    int timeEnd = find(RECORD, line, time, Math.min(line.length, time + TIME_BYTES_MAX + 1));
    long receivedAt = timeEnd < 0 ? Rfc3339.NOT_A_TIME : Rfc3339.parse(line, time, timeEnd);
    if (receivedAt == Rfc3339.NOT_A_TIME) {
      return "it has no record after its receivedAt";
    }
    int begin = timeEnd + RECORD.length;
    int end = recordEnd(line, begin);
    return end < 0 ? "it does not end with its record" : add(line, begin, end - begin, receivedAt);
  }

  /** Where a line's record ends; -1 if the line goes on with what is not known. */
  private static int recordEnd(byte[] line, int begin) {
    int last = line.length - 1;
    if (last <= begin || line[last] != '}') {
      return -1;
    }
    if (line[last - 1] == '}') {
      return last;
    }
    int least = Math.max(begin, last - BESIDE_MAX);
    for (int i = last - FLAGS.length; line[last - 1] == ']' && i > least; i--) {
      if (Arrays.equals(line, i, i + FLAGS.length, FLAGS, 0, FLAGS.length)) {
        return i + 1;
      }
    }
    return -1;
  }

  /** Where the first such part begins whose begin is in the range; -1 if there is none. */
  private static int find(byte[] part, byte[] bytes, int from, int to) {
    for (int i = from; i < to && i + part.length <= bytes.length; i++) {
      if (bytes[i] == part[0] && Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Counts what is no position.
   *
   * @param what it is and where, for the operator: an object, as it is written for the first alone
   */
  public void skip(Object what, String reason) {
    meters.invalid();
    if (!isTold) {
      isTold = true;
      LOGGER.log(
          Level.WARNING,
          "{0} is no position and is skipped ({1}); further ones are only counted",
          what.toString(),
          reason);
    }
  }
}
