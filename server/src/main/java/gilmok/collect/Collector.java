package gilmok.collect;

import gilmok.auth.Binding;
import gilmok.collect.json.DecodeOutcome;
import gilmok.collect.json.JsonDecoder;
import gilmok.collect.json.RecordRule;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.HiddenKey;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.log.AppendBatch;
import gilmok.log.AppendResult;
import gilmok.log.Stream;
import gilmok.privacy.Consents;
import java.util.List;

/**
 * Collects requests on one event loop, with a decoder, buffers and a batch that are reused.
 *
 * <p>Not thread-safe: one for each event loop.
 */
final class Collector {
  private final RecordAppender recordAppender;
  private final ActionRule actionRule;
  private final DurableAck.Means means;
  private final JsonDecoder decoder = new JsonDecoder();
  private final RecordBatchBuilder records;
  private final Consents consents;
  private final ConsentDoor door;
  private final Events events;
  private final JsonBuffer answer = new JsonBuffer();

  Collector(
      RecordAppender recordAppender,
      ActionRule actionRule,
      AckRule rule,
      String node,
      byte[] secret,
      CollectMeters meter,
      Consents consents) {
    this.consents = consents;
    door = new ConsentDoor(consents.view(), meter);
    this.recordAppender = recordAppender;
    this.actionRule = actionRule;
    means = new DurableAck.Means(rule, node, meter, answer);
    this.records = new RecordBatchBuilder(secret);
    this.events = records.events();
  }

  /** Whether all of a request may be passed on to another server. */
  boolean mayPassOn(Exchange exchange, EventKind kind) {
    return !consents.isAny()
        || decode(exchange, kind) != DecodeOutcome.READ
        || !door.isClosedTo(events, exchange.bodyBytes(), boundTo(exchange));
  }

  /** The rider that a bound key writes for. */
  private static List<String> boundTo(Exchange exchange) {
    Binding binding = exchange.principal().binding();
    return binding == null ? List.of() : List.of(binding.id());
  }

  private DecodeOutcome decode(Exchange exchange, EventKind kind) {
    events.clear();
    return decoder.decode(
        kind,
        exchange.bodyBytes(),
        exchange.bodyOffset(),
        exchange.bodyLength(),
        kind == EventKind.ACTION ? actionRule.of(exchange.principal()) : RecordRule.NONE,
        events);
  }

  void collect(Exchange exchange, EventKind kind, Stream stream) {
    if (!consents.isRead()) { // what nobody may collect would be stored
      exchange.refuse(Refusal.BUSY);
      return;
    }
    switch (decode(exchange, kind)) {
      case UNREADABLE -> refuseUnreadable(exchange);
      case TOO_MANY -> exchange.refuse(Refusal.TOO_LARGE, "", "more than 10,000 records");
      case READ -> store(exchange, stream);
    }
  }

  private void store(Exchange exchange, Stream stream) {
    if (events.count() == 0 && !isForbidden()) {
      refuseAll(exchange);
      return;
    }
    String stranger = records.stranger(exchange.principal().binding());
    if (stranger != null) {
      exchange.refuse(Refusal.NOT_YOURS, "riderId", stranger);
      return;
    }
    int withheld = door.close(events, exchange.bodyBytes(), boundTo(exchange));
    if (events.count() > 0) {
      HiddenKey.in(events.bytes(), 0, events.offset(events.count()));
    }
    records.traced(exchange.trace());
    exchange.setAside(events.rejectCount());
    AppendBatch batch = records.pack(exchange.bodyBytes(), stream);
    DurableAck ticket =
        new DurableAck(
            exchange, means, stream, rejectsAsJson(exchange), events.rejectCount(), withheld);
    if (records.size() == 0) {
      ticket.nothingStored();
      return;
    }
    Refusal lack = ticket.lack();
    if (lack != null) {
      exchange.refuse(lack);
      return;
    }
    AppendResult result = recordAppender.append(batch, ticket);
    if (result == AppendResult.TAKEN) {
      int duplicates = records.duplicates();
      ticket.counted(events.count() - duplicates, duplicates);
      ticket.taken(batch.repeatCount() > 0);
    } else {
      refuse(exchange, result);
    }
  }

  /** Whether a record is sound, and was rejected for its sender's key alone. */
  private boolean isForbidden() {
    for (int i = 0; i < events.rejectCount(); i++) {
      if (events.rejectField(i).equals(JsonDecoder.KEY)) {
        return true;
      }
    }
    return false;
  }

  /** Refuses a request, according to why the log did not take its records. */
  static void refuse(Exchange exchange, AppendResult result) {
    switch (result) {
      case TAKEN, BUSY -> exchange.refuse(Refusal.BUSY);
      case FULL -> exchange.refuse(Refusal.NO_ROOM);
      case CLOSED -> exchange.refuse(Refusal.STOPPING);
      case TOO_LARGE ->
          exchange.refuse(
              Refusal.TOO_LARGE,
              "body",
              "more than log.group-bytes-max as it is kept, with each record whole: send it in"
                  + " two");
    }
  }

  private void refuseAll(Exchange exchange) {
    if (events.rejectCount() == 0) {
      exchange.refuse(Refusal.INVALID, "", Reason.EMPTY);
      return;
    }
    if (events.rejectCount() == 1 && events.rejectReason(0).equals(Reason.NOT_JSON)) {
      // A single line is not yet NDJSON, so it is the body that is no JSON.
      refuseUnreadable(exchange);
      return;
    }
    String field = events.rejectField(0);
    if (events.rejectCount() > 1) {
      String record = "[" + events.rejectIndex(0) + "]";
      field = field.isEmpty() ? record : record + "." + field;
    }
    exchange.refuse(Refusal.INVALID, field, events.rejectReason(0));
  }

  private void refuseUnreadable(Exchange exchange) {
    int at = decoder.errorOffset() - exchange.bodyOffset();
    exchange.refuse(Refusal.UNREADABLE, "", decoder.errorReason() + " at byte " + at);
  }

  private byte[] rejectsAsJson(Exchange exchange) {
    if (events.rejectCount() == 0) {
      return DurableAck.NONE;
    }
    answer.clear();
    for (int i = 0; i < events.rejectCount(); i++) {
      answer.ascii(i == 0 ? "{\"index\":" : ",{\"index\":").number(events.rejectIndex(i));
      answer.ascii(",\"field\":").string(events.rejectField(i));
      answer.ascii(",\"reason\":").string(exchange.inTheirLanguage(events.rejectReason(i)));
      answer.put('}');
    }
    return answer.copy();
  }
}
