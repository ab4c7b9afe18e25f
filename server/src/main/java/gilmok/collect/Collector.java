package gilmok.collect;

import gilmok.auth.Binding;
import gilmok.collect.json.JsonDecoder;
import gilmok.collect.json.Outcome;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.event.Kind;
import gilmok.event.Quarantined;
import gilmok.event.Reason;
import gilmok.event.RepeatKey;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.log.Admission;
import gilmok.log.Draft;
import gilmok.log.Stream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop needs to collect: decoder, buffers, draft, all reused.
 *
 * <p>Not thread-safe: one for each event loop.
 */
final class Collector {
  private final Acceptor acceptor;
  private final String node;
  private final CollectMeter meter;
  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();
  private final EventView view = new EventView();
  private final RepeatKey key;
  private final Draft draft = new Draft();
  private final Quarantined quarantined = new Quarantined();
  private final JsonBuffer answer = new JsonBuffer();

  Collector(Acceptor acceptor, String node, byte[] secret, CollectMeter meter) {
    this.acceptor = acceptor;
    this.node = node;
    this.meter = meter;
    this.key = new RepeatKey(secret);
  }

  void collect(Exchange exchange, Kind kind, Stream stream) {
    if (!isJson(exchange.contentType())) {
      exchange.refuse(
          Refusal.MEDIA_TYPE, "Content-Type", "send application/json or application/x-ndjson");
      return;
    }
    events.clear();
    Outcome outcome =
        decoder.decode(
            kind, exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength(), events);
    switch (outcome) {
      case UNREADABLE -> refuseUnreadable(exchange);
      case TOO_MANY -> exchange.refuse(Refusal.TOO_LARGE, "", "more than 10,000 records");
      case READ -> store(exchange, stream);
    }
  }

  String node() {
    return node;
  }

  CollectMeter meter() {
    return meter;
  }

  /** Where the loop's answers are written, one at a time. */
  JsonBuffer answerBuffer() {
    return answer;
  }

  private void store(Exchange exchange, Stream stream) {
    if (events.count() == 0) {
      refuseAll(exchange);
      return;
    }
    String stranger = stranger(exchange.principal().binding());
    if (stranger != null) {
      exchange.refuse(Refusal.NOT_YOURS, "riderId", stranger);
      return;
    }
    fillDraft(exchange.bodyBytes(), stream);
    Answer ticket = new Answer(exchange, this, stream, rejectsAsJson(), events.rejectCount());
    Admission admission = acceptor.append(draft, ticket);
    switch (admission) {
      case TAKEN -> {
        int duplicates = duplicates();
        ticket.counted(events.count() - duplicates, duplicates);
      }
      case BUSY -> exchange.refuse(Refusal.BUSY);
      case FULL -> exchange.refuse(Refusal.NO_ROOM);
      case CLOSED -> exchange.refuse(Refusal.STOPPING);
    }
  }

  private void fillDraft(byte[] body, Stream stream) {
    draft.clear();
    for (int i = 0; i < events.count(); i++) {
      add(stream, events.bytes(), events.offset(i), events.length(i));
    }
    for (int i = 0; i < events.rejectCount(); i++) {
      quarantined.encode(
          stream.label(),
          events.rejectIndex(i),
          events.rejectField(i),
          events.rejectReason(i),
          body,
          events.rejectStart(i),
          events.rejectEnd(i));
      add(Stream.QUARANTINE, quarantined.bytes(), 0, quarantined.size());
    }
  }

  private void add(Stream stream, byte[] bytes, int offset, int length) {
    key.hash(stream.code(), bytes, offset, length);
    draft.add(stream, bytes, offset, length, key.high(), key.low());
  }

  /** How many of the events, not of what was set aside, had been stored before. */
  private int duplicates() {
    if (draft.repeatCount() == 0) {
      return 0;
    }
    int duplicates = 0;
    for (int i = 0; i < events.count(); i++) {
      duplicates += draft.isRepeat(i) ? 1 : 0;
    }
    return duplicates;
  }

  /** Why a bound key may not write these events; null if it may. */
  private @Nullable String stranger(@Nullable Binding binding) {
    if (binding == null) {
      return null;
    }
    if (binding.kind() != Binding.Kind.RIDER) {
      return "the key is bound to no rider";
    }
    for (int i = 0; i < events.count(); i++) {
      view.wrap(events.bytes(), events.offset(i), events.length(i));
      if (!view.riderId().equals(binding.id())) {
        return "the key is bound to another rider";
      }
    }
    return null;
  }

  private void refuseAll(Exchange exchange) {
    if (events.rejectCount() == 0) {
      exchange.refuse(Refusal.INVALID, "", Reason.EMPTY);
      return;
    }
    if (events.rejectCount() == 1 && events.rejectReason(0).equals(Reason.NOT_JSON)) {
      // One line is no NDJSON yet: then it is the body that is no JSON.
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

  private byte[] rejectsAsJson() {
    if (events.rejectCount() == 0) {
      return Answer.NONE;
    }
    answer.clear();
    for (int i = 0; i < events.rejectCount(); i++) {
      answer.ascii(i == 0 ? "{\"index\":" : ",{\"index\":").number(events.rejectIndex(i));
      answer.ascii(",\"field\":").string(events.rejectField(i));
      answer.ascii(",\"reason\":").string(events.rejectReason(i)).put('}');
    }
    return Arrays.copyOf(answer.bytes(), answer.size());
  }

  private static boolean isJson(String contentType) {
    return switch (contentType) {
      case "",
          "application/json",
          "application/x-ndjson",
          "application/ndjson",
          "application/jsonl",
          "application/x-jsonlines",
          "text/json" ->
          true;
      default -> false;
    };
  }
}
