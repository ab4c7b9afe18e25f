package gilmok.collect;

import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedEncoder;
import gilmok.event.Reason;
import gilmok.log.AppendBatch;
import gilmok.log.AppendResult;
import gilmok.log.Stream;
import gilmok.privacy.Consents;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Collects one record that had been set aside: unchanged, or as somebody has corrected it.
 *
 * <p>Thread-safe; waits for the disk, or for the sink that acknowledges.
 */
public final class SingleRecordCollector {
  private static final long DURABLE_SECONDS_MAX = 30;

  /** How far the clock of a phone may be wrong; the same as for moves of deliveries. */
  private static final long CLOCK_MILLIS = 10 * 60_000;

  private final RecordAppender recordAppender;
  private final AckRule rule;
  private final byte[] secret;
  private final CollectMeters meter;
  private final Consents consents;

  /** What became of the record. */
  public sealed interface Result {}

  /** It is durable, under that sequence. */
  public record Stored(long sequence) implements Result {}

  /** It had been stored before. */
  public record Repeated() implements Result {}

  /** It cannot be used; the field is empty if the fault is that of the whole record. */
  public record Unusable(String field, String reason) implements Result {}

  /**
   * The log did not take it; with TAKEN, the log took it but nobody reported in time that it is
   * durable.
   */
  public record NotTaken(AppendResult result) implements Result {}

  /**
   * Appends to that log.
   *
   * @param rule who acknowledges
   * @param secret the 16 bytes that key the deduplication hash
   * @param consents of whom nothing is collected
   */
  public SingleRecordCollector(
      RecordAppender recordAppender,
      AckRule rule,
      byte[] secret,
      CollectMeters meter,
      Consents consents) {
    this.consents = consents;
    this.recordAppender = recordAppender;
    this.rule = rule;
    this.secret = secret.clone();
    this.meter = meter;
  }

  /**
   * Decodes a record and waits until it is durable.
   *
   * @param stream the stream it is meant for
   * @param json one record
   * @param quarantinedAtMillis when it was quarantined, epoch ms
   */
  public Result collect(Stream stream, byte[] json, long quarantinedAtMillis)
      throws InterruptedException {
    EventKind kind = kind(stream);
    if (kind == null) {
      return new Unusable("stream", "nothing is collected for " + stream.label());
    }
    RecordBatchBuilder records = new RecordBatchBuilder(secret);
    Events events = records.events();
    Unusable fault = decode(kind, json, events);
    if (fault != null) {
      return fault;
    }
    if (kind == EventKind.ACTION) {
      byte[] dated = dated(events, quarantinedAtMillis);
      if (dated != null && decode(kind, dated, events) != null) {
        // It had such a member, or as many as it may have.
        Unusable _ = decode(kind, json, events);
      }
    }
    ConsentDoor door = new ConsentDoor(consents.view(), meter);
    return !consents.isRead() || door.close(events, json, List.of()) > 0
        ? new Unusable("riderId", "nothing is collected of this rider: see the rider's consent")
        : store(records, stream, json);
  }

  private static @Nullable Unusable decode(EventKind kind, byte[] json, Events events) {
    JsonDecoder decoder = new JsonDecoder();
    return switch (decoder.decode(kind, json, 0, json.length, events)) {
      case UNREADABLE ->
          new Unusable("", decoder.errorReason() + " at byte " + decoder.errorOffset());
      case TOO_MANY -> new Unusable("", "more than one record");
      case READ -> fault(events);
    };
  }

  /**
   * The action with one more attribute: when it arrived for the first time. From its new record
   * nobody could tell, and its own time may be one that cannot be. Null where it is about no
   * delivery, or where both times agree.
   */
  private static byte @Nullable [] dated(Events events, long quarantinedAtMillis) {
    EventView action = new EventView().wrap(events.bytes(), events.offset(0), events.length(0));
    if (!action.has(EventField.DELIVERY_ID)
        || Math.abs(action.at() - quarantinedAtMillis) <= CLOCK_MILLIS) {
      return null;
    }
    JsonBuffer member = new JsonBuffer();
    member.ascii(",\"").ascii(QuarantinedEncoder.QUARANTINED_AT).ascii("\":");
    member.time(quarantinedAtMillis).put('}');
    JsonBuffer out = new JsonBuffer();
    action.writeJson(out);
    byte[] whole = Arrays.copyOf(out.bytes(), out.size() - 1 + member.size());
    System.arraycopy(member.bytes(), 0, whole, out.size() - 1, member.size());
    return whole;
  }

  private static @Nullable Unusable fault(Events events) {
    if (events.rejectCount() > 0) {
      return new Unusable(events.rejectField(0), events.rejectReason(0));
    }
    return switch (events.count()) {
      case 0 -> new Unusable("", Reason.EMPTY);
      case 1 -> null;
      default -> new Unusable("", "more than one record");
    };
  }

  private Result store(RecordBatchBuilder records, Stream stream, byte[] json)
      throws InterruptedException {
    AppendBatch batch = records.pack(json, stream);
    AwaitedAck durable = new AwaitedAck(rule);
    if (durable.lack() != null) {
      return new NotTaken(AppendResult.BUSY);
    }
    AppendResult result = recordAppender.append(batch, durable);
    if (result != AppendResult.TAKEN) {
      return new NotTaken(result);
    }
    int duplicates = records.duplicates();
    durable.taken(batch.repeatCount() > 0);
    if (!durable.await(DURABLE_SECONDS_MAX, TimeUnit.SECONDS)) {
      return new NotTaken(result);
    }
    meter.collected(stream, 1 - duplicates, duplicates, 0);
    return duplicates == 0 ? new Stored(durable.first()) : new Repeated();
  }

  private static @Nullable EventKind kind(Stream stream) {
    return switch (stream) {
      case TRACES -> EventKind.POSITION;
      case ACTIONS -> EventKind.ACTION;
      case LOGS -> EventKind.LOG_LINE;
      case DELIVERIES, QUARANTINE, AUDIT -> null;
    };
  }
}
