package gilmok.ledger;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.background.BackgroundThread;
import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedView;
import gilmok.http.Answer;
import gilmok.http.Refusal;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.sinks.Receipt;
import gilmok.sinks.Receipts;
import gilmok.sinks.Shipper;
import gilmok.sinks.Sinks;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Replays quarantined records: collects them again, or has the sink that refused them send them
 * again. Blocks; thread-safe.
 */
final class Replays {
  private final Log log;
  private final Sinks sinks;
  private final Map<String, Receipts> receipts;
  private final Recollector recollector;
  private final Audit audit;
  private final InstantSource clock;
  private final ReplayFilter.Reader filters = new ReplayFilter.Reader();
  private @Nullable QuarantineReplay last;

  /** A quarantined record, and when it was quarantined. */
  private record Found(long atMillis, QuarantinedView aside) {}

  Replays(
      Log log,
      Sinks sinks,
      Map<String, Receipts> receipts,
      Recollector recollector,
      Audit audit,
      InstantSource clock) {
    this.audit = audit;
    this.clock = clock;
    this.log = log;
    this.sinks = sinks;
    this.receipts = receipts;
    this.recollector = recollector;
  }

  /**
   * Replays one quarantined record.
   *
   * @param id its sequence
   * @param corrected the record to collect in its place; empty to use it as it is
   */
  Answer replay(Actor actor, String id, byte[] corrected) throws IOException, InterruptedException {
    Found found = find(RecordId.sequence(id));
    if (found == null) {
      return Answer.refused(
          Refusal.NOT_FOUND, "id", "nothing was set aside under this sequence, or not any more");
    }
    QuarantinedView aside = found.aside;
    String sink = aside.sink();
    if (sink != null && corrected.length > 0) {
      return Answer.invalid("body", "what a sink refused is sent as it stands: no body");
    }
    JsonBuffer how = new JsonBuffer().ascii("{\"stream\":").string(aside.stream());
    how.ascii(corrected.length > 0 ? ",\"corrected\":true}" : "}");
    AuditEntry entry =
        new AuditEntry(AuditAction.QUARANTINE_REPLAYED, actor, id, null, how.toString());
    return sink == null
        ? collect(entry, aside, corrected, found.atMillis)
        : send(entry, sink, Objects.requireNonNullElse(aside.origin(), ""));
  }

  private Answer collect(AuditEntry entry, QuarantinedView aside, byte[] corrected, long atMillis)
      throws IOException, InterruptedException {
    Stream stream = Stream.of(aside.stream());
    boolean isAsItWas = corrected.length == 0;
    if (stream == null) {
      return Answer.conflict("stream", "nothing is collected for " + aside.stream());
    }
    if (isAsItWas && aside.isCut()) {
      return Answer.conflict("raw", "only its beginning was kept: send the whole record");
    }
    byte[] record = isAsItWas ? aside.raw() : corrected;
    return switch (audit.change(
        entry, () -> recollector.collect(stream, record, atMillis), Replays::whyNotCollected)) {
      case Recollector.Stored stored -> collected(1, stored.sequence());
      case Recollector.Repeated _ -> collected(0, 0);
      case Recollector.Unusable unusable ->
          isAsItWas
              ? Answer.conflict(
                  unusable.field(), unusable.reason() + ": send the corrected record as the body")
              : Answer.invalid(unusable.field(), unusable.reason());
      case Recollector.NotTaken not -> Answer.of(not.isFull() ? Refusal.NO_ROOM : Refusal.BUSY);
    };
  }

  private static @Nullable String whyNotCollected(Recollector.Result result) {
    return switch (result) {
      case Recollector.Stored _, Recollector.Repeated _ -> null;
      case Recollector.Unusable unusable -> unusable.field() + ": " + unusable.reason();
      case Recollector.NotTaken _ -> "the log did not take it";
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
    return Answer.json(200, out.put('}').copy());
  }

  private Answer send(AuditEntry entry, String sink, String origin)
      throws IOException, InterruptedException {
    RecordId record = RecordId.of(origin);
    Shipper shipper = sinks.shipper(sink);
    if (shipper == null) {
      return Answer.conflict("sink", "the settings name no sink " + sink + " any more");
    }
    if (record == null || !record.node().equals(log.node())) {
      return Answer.conflict("origin", "the record is another node's");
    }
    Receipts book = receipts.get(sink);
    Receipt newest = book == null ? null : book.find(record.sequence());
    if (book != null && (newest == null || newest.outcome() != Receipt.Outcome.QUARANTINED)) {
      return Answer.conflict("origin", "it is not set aside at " + sink + " now");
    }
    if (!audit.change(
        entry,
        () -> shipper.replay(record.sequence()),
        isSent -> isSent ? null : "it is not set aside")) {
      return Answer.conflict(
          "origin", "the log has the record no more, or it is not set aside at " + sink + " now");
    }
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"sink\":").string(sink).ascii(",\"recordId\":").string(origin);
    return Answer.json(202, out.put('}').copy());
  }

  /** Begins a job that replays all records that a filter selects; one job at a time. */
  Answer begin(Actor actor, byte[] body) throws IOException, InterruptedException {
    return switch (filters.read(body)) {
      case ReplayFilter.Read read -> begin(actor, read.filter());
      case ReplayFilter.Wrong wrong -> Answer.invalid(wrong.field(), wrong.reason());
      case ReplayFilter.Unreadable _ -> Answer.unreadable("not a JSON object");
    };
  }

  private synchronized Answer begin(Actor actor, ReplayFilter filter)
      throws IOException, InterruptedException {
    QuarantineReplay before = last;
    if (before != null && !before.isDone()) {
      return Answer.conflict("id", "replay " + before.id() + " is not done yet: one at a time");
    }
    String sink = filter.sink();
    if (sink != null && sinks.shipper(sink) == null) {
      return Answer.invalid("sink", "the settings name no such sink");
    }
    long id = Math.max(clock.millis(), before == null ? 1 : Long.parseLong(before.id()) + 1);
    QuarantineReplay job =
        new QuarantineReplay(Long.toString(id), filter, log, sinks, receipts, recollector);
    AuditEntry entry =
        new AuditEntry(AuditAction.QUARANTINE_REPLAYED, actor, "replay/" + id, null, filter.json());
    return audit.change(
        entry,
        () -> {
          // In this order: a job that never started would never be done, and would block every
          // later one.
          BackgroundThread.startVirtual("gilmok-quarantine-replay", job);
          last = job;
          return shown(202, job);
        });
  }

  /** The progress of the last job. */
  synchronized Answer progress(String id) {
    QuarantineReplay job = last;
    return job == null || !job.id().equals(id)
        ? Answer.refused(Refusal.NOT_FOUND, "id", "no such replay; a restart forgets them")
        : shown(200, job);
  }

  private static Answer shown(int status, QuarantineReplay job) {
    JsonBuffer out = new JsonBuffer();
    job.write(out);
    return Answer.json(status, out.copy());
  }

  private @Nullable Found find(long sequence) throws IOException {
    if (sequence < Math.max(1, log.oldestSequence()) || sequence > log.durable()) {
      return null;
    }
    try (LogReader reader = log.reader(sequence)) {
      return reader.next() && reader.sequence() == sequence && reader.stream() == Stream.QUARANTINE
          ? new Found(
              reader.receivedAtMillis(),
              new QuarantinedView().wrap(reader.bytes(), reader.offset(), reader.length()))
          : null;
    }
  }
}
