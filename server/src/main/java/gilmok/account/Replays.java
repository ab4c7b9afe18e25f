package gilmok.account;

import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedView;
import gilmok.http.Refusal;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.ship.Receipt;
import gilmok.ship.Receipts;
import gilmok.ship.Ship;
import gilmok.ship.Shipper;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tries once more what was set aside: collects it anew, or has the sink that refused it sent it
 * again. Blocks; thread-safe.
 */
final class Replays {
  private final Log log;
  private final Ship ship;
  private final Map<String, Receipts> receipts;
  private final Recollector recollector;

  Replays(Log log, Ship ship, Map<String, Receipts> receipts, Recollector recollector) {
    this.log = log;
    this.ship = ship;
    this.receipts = receipts;
    this.recollector = recollector;
  }

  /**
   * Replays one.
   *
   * @param id its sequence
   * @param corrected what to take in its place, empty for what it is
   */
  Answer replay(String id, byte[] corrected) throws IOException, InterruptedException {
    QuarantinedView aside = find(RecordId.sequence(id));
    if (aside == null) {
      return new Answer.Refused(
          Refusal.NOT_FOUND, "id", "nothing was set aside under this sequence, or not any more");
    }
    String sink = aside.sink();
    if (sink == null) {
      return collect(aside, corrected);
    }
    return corrected.length == 0
        ? send(sink, Objects.requireNonNullElse(aside.origin(), ""))
        : Answer.Refused.invalid("body", "what a sink refused is sent as it stands: no body");
  }

  private Answer collect(QuarantinedView aside, byte[] corrected) throws InterruptedException {
    Stream stream = stream(aside.stream());
    boolean isAsItWas = corrected.length == 0;
    if (stream == null) {
      return Answer.Refused.conflict("stream", "nothing is collected for " + aside.stream());
    }
    if (isAsItWas && aside.isCut()) {
      return Answer.Refused.conflict("raw", "only its beginning was kept: send the whole record");
    }
    return switch (recollector.collect(stream, isAsItWas ? aside.raw() : corrected)) {
      case Recollector.Stored stored -> collected(1, stored.sequence());
      case Recollector.Repeated _ -> collected(0, 0);
      case Recollector.Unusable unusable ->
          isAsItWas
              ? Answer.Refused.conflict(
                  unusable.field(), unusable.reason() + ": send the corrected record as the body")
              : Answer.Refused.invalid(unusable.field(), unusable.reason());
      case Recollector.NotTaken not ->
          new Answer.Plain(not.isFull() ? Refusal.NO_ROOM : Refusal.BUSY);
    };
  }

  private Answer collected(int accepted, long sequence) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"accepted\":").number((long) accepted);
    out.ascii(",\"duplicates\":").number((long) (1 - accepted)).ascii(",\"receipt\":");
    if (accepted == 0) {
      out.ascii("null");
    } else {
      out.ascii("{\"node\":\"").ascii(log.node().toString()).ascii("\",\"first\":");
      out.number(sequence).ascii(",\"last\":").number(sequence).put('}');
    }
    return new Answer.Done(200, out.put('}'));
  }

  private Answer send(String sink, String origin) throws IOException, InterruptedException {
    RecordId record = RecordId.of(origin);
    Shipper shipper = ship.shipper(sink);
    if (shipper == null) {
      return Answer.Refused.conflict("sink", "the settings name no sink " + sink + " any more");
    }
    if (record == null || !record.node().equals(log.node())) {
      return Answer.Refused.conflict("origin", "the record is another node's");
    }
    Receipts book = receipts.get(sink);
    Receipt newest = book == null ? null : book.find(record.sequence());
    if (book != null && (newest == null || newest.outcome() != Receipt.Outcome.QUARANTINED)) {
      return Answer.Refused.conflict("origin", "it is not set aside at " + sink + " now");
    }
    if (!shipper.replay(record.sequence())) {
      return Answer.Refused.conflict(
          "origin", "the log has the record no more, or it is not set aside at " + sink + " now");
    }
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"sink\":").string(sink).ascii(",\"recordId\":").string(origin);
    return new Answer.Done(202, out.put('}'));
  }

  private @Nullable QuarantinedView find(long sequence) throws IOException {
    if (sequence < Math.max(1, log.oldestSequence()) || sequence > log.durable()) {
      return null;
    }
    try (LogReader reader = log.reader(sequence)) {
      return reader.next() && reader.sequence() == sequence && reader.stream() == Stream.QUARANTINE
          ? new QuarantinedView().wrap(reader.bytes(), reader.offset(), reader.length())
          : null;
    }
  }

  private static @Nullable Stream stream(String label) {
    for (Stream stream : Stream.values()) {
      if (stream.label().equals(label)) {
        return stream;
      }
    }
    return null;
  }
}
