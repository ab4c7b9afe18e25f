package gilmok.ledger;

import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Refusal;
import gilmok.log.DamagedLogException;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.sinks.LedgerRow;
import gilmok.sinks.Receipt;
import gilmok.sinks.Receipts;
import gilmok.sinks.Shipper;
import gilmok.sinks.SinkStatus;
import gilmok.sinks.Sinks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers what became of one record at each sink. Reads files, so it blocks; thread-safe. */
record RecordStatus(Log log, Sinks sinks, Map<String, Receipts> receipts, NodeAddresses nodes) {
  /** What the log still has of the record. */
  private sealed interface Logged {}

  /** The record, or its tombstone. */
  private record Found(Stream stream, long receivedAtMillis, boolean isErased) implements Logged {}

  /** The record is there, but damaged. */
  private record Unreadable(String reason) implements Logged {}

  Answer of(String text) throws IOException, InterruptedException {
    RecordId id = RecordId.of(text);
    if (id != null && !id.node().equals(log.node())) {
      return elsewhere(id);
    }
    if (id == null || id.sequence() > log.early().written()) {
      return Answer.refused(
          Refusal.NOT_FOUND, "id", "no record of this node; write it as node:sequence");
    }
    long sequence = id.sequence();
    Logged logged = logged(sequence);
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"recordId\":").string(text);
    switch (logged) {
      case Found found -> {
        out.ascii(",\"stream\":").string(found.stream.label());
        out.ascii(",\"receivedAt\":").time(found.receivedAtMillis);
      }
      case Unreadable damaged -> out.ascii(",\"unreadable\":").string(damaged.reason);
      case null -> {
        // The log has deleted it.
      }
    }
    List<String> durable = new ArrayList<>();
    if (logged instanceof Found found && !found.isErased && sequence <= log.durable()) {
      durable.add("disk");
    }
    out.ascii(",\"sinks\":[");
    boolean isKnown = logged != null;
    boolean isFirst = true;
    for (SinkStatus status : sinks.statuses()) {
      Receipts book = receipts.get(status.name());
      Receipt receipt = book == null ? null : book.find(sequence);
      isKnown |= receipt != null;
      out.ascii(isFirst ? "{\"sink\":" : ",{\"sink\":").string(status.name());
      write(status, logged, sequence, receipt, out);
      out.put('}');
      isFirst = false;
      Shipper shipper = sinks.shipper(status.name());
      boolean isThere = receipt != null && receipt.outcome() == Receipt.Outcome.DELIVERED;
      if (isThere && shipper != null && shipper.isDurable()) {
        durable.add(status.name());
      }
    }
    out.ascii("],\"durable\":[");
    for (int i = 0; i < durable.size(); i++) {
      out.ascii(i == 0 ? "" : ",").string(durable.get(i));
    }
    out.ascii("]}");
    return isKnown
        ? Answer.json(200, out.copy())
        : Answer.refused(Refusal.GONE, "id", "neither the record nor a receipt is still here");
  }

  /** Sends the client to the node that has the record in its log. */
  private Answer elsewhere(RecordId id) throws IOException, InterruptedException {
    String url = nodes.of(id.node());
    if (url == null) {
      String reason = "a record of node " + id.node() + ", whose node.url is not known here";
      return Answer.refused(Refusal.OTHER_NODE, "id", reason);
    }
    String there = url + "/v1/receipts/" + id.node() + ":" + id.sequence();
    return exchange -> {
      exchange.replyHeader("Location", there);
      exchange.reply(307);
    };
  }

  private void write(
      SinkStatus status,
      @Nullable Logged logged,
      long sequence,
      @Nullable Receipt receipt,
      JsonBuffer out) {
    if (receipt != null && !isAhead(status, sequence, receipt)) {
      out.ascii(",\"state\":").string(state(receipt.outcome()));
      out.ascii(",\"at\":").time(receipt.settledAtMillis());
      if (!receipt.place().isEmpty()) {
        out.ascii(",\"place\":").string(receipt.place());
      }
    } else if (logged instanceof Found found && !status.streams().contains(found.stream)) {
      out.ascii(",\"state\":\"not-taken\"");
    } else if (logged instanceof Found found && found.isErased) {
      out.ascii(",\"state\":\"erased\"");
    } else if (receipt != null || sequence > status.progress().sequence()) {
      out.ascii(",\"state\":\"waiting\"");
    } else {
      boolean isBefore = logged != null && sequence < since(status.name());
      out.ascii(isBefore ? ",\"state\":\"not-taken\"" : ",\"state\":\"gone\"");
    }
  }

  /**
   * Whether the sink still has the record before it. A skip is noted before it happens, so the
   * record may still wait or be under way.
   */
  private boolean isAhead(SinkStatus status, long sequence, Receipt receipt) {
    Shipper shipper = sinks.shipper(status.name());
    return receipt.outcome() == Receipt.Outcome.SKIPPED
        && (sequence > status.progress().sequence()
            || (shipper != null && shipper.isOnItsWay(sequence)));
  }

  private static String state(Receipt.Outcome outcome) {
    return switch (outcome) {
      case DELIVERED -> "delivered";
      case QUARANTINED -> "quarantined";
      case SKIPPED -> "skipped";
    };
  }

  /** The sequence at which the sink's account begins. */
  private long since(String sink) {
    for (LedgerRow row : sinks.ledger().rows()) {
      if (row.sink().equals(sink)) {
        return row.since();
      }
    }
    return 0;
  }

  private @Nullable Logged logged(long sequence) throws IOException {
    if (sequence < log.oldestSequence()) {
      return null;
    }
    try (LogReader reader = log.early().reader(sequence)) {
      return reader.nextEntry() && reader.sequence() == sequence
          ? new Found(reader.stream(), reader.receivedAtMillis(), reader.isErased())
          : null;
    } catch (DamagedLogException damaged) {
      return new Unreadable(String.valueOf(damaged.getMessage()));
    }
  }
}
