package gilmok.ledger;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Refusal;
import gilmok.log.Log;
import gilmok.log.Stream;
import gilmok.sinks.Shipper;
import gilmok.sinks.SinkStatus;
import gilmok.sinks.Sinks;
import gilmok.sinks.Tuning;
import gilmok.storage.DiskFullException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.Locale;

/**
 * The routes' view of the sinks: those in the settings, and those that were removed from them.
 * Reads files, so it blocks; thread-safe.
 */
final class SinkService {
  private static final Logger LOGGER = System.getLogger("gilmok.ledger");
  private static final Answer NOT_FOUND =
      Answer.refused(Refusal.NOT_FOUND, "id", "nothing is known under it");

  private final Log log;
  private final Sinks sinks;
  private final Audit audit;
  private final InstantSource clock;
  private final SinkBody.Reader bodies = new SinkBody.Reader();

  SinkService(Log log, Sinks sinks, Audit audit, InstantSource clock) {
    this.log = log;
    this.sinks = sinks;
    this.audit = audit;
    this.clock = clock;
  }

  Answer list() {
    return Answer.json(
        200, new JsonBuffer().page(sinks.statuses(), SinkService::write, null).copy());
  }

  Answer show(String name) {
    SinkStatus status = sinks.status(name);
    if (status == null) {
      return NOT_FOUND;
    }
    JsonBuffer out = new JsonBuffer();
    write(status, out);
    return Answer.json(200, out.copy());
  }

  Answer pause(Actor actor, String name) throws IOException, InterruptedException {
    return change(AuditAction.SINK_PAUSED, actor, name, Shipper::pause);
  }

  Answer resume(Actor actor, String name) throws IOException, InterruptedException {
    return change(AuditAction.SINK_RESUMED, actor, name, Shipper::resume);
  }

  private interface Change {
    void of(Shipper shipper) throws IOException, InterruptedException;
  }

  private Answer change(AuditAction action, Actor actor, String name, Change change)
      throws IOException, InterruptedException {
    try {
      return audit.oneByOne("sink/" + name, () -> changed(action, actor, name, change));
    } catch (DiskFullException full) {
      return noRoom(name, full);
    }
  }

  /** A disk without room is the operator's to mend: that is said, and not only that it is busy. */
  private static Answer noRoom(String name, DiskFullException full) {
    LOGGER.log(
        Level.WARNING,
        "the state of sink {0} cannot be written, as the disk is full: {1}",
        name,
        full.getMessage());
    return Answer.refused(
        Refusal.BUSY, "id", "its state cannot be written, as the disk is full: make room there");
  }

  private Answer changed(AuditAction action, Actor actor, String name, Change change)
      throws IOException, InterruptedException {
    Shipper shipper = sinks.shipper(name);
    if (shipper == null) {
      return unknown(name);
    }
    JsonBuffer before = new JsonBuffer().ascii("{\"state\":");
    before.string(state(shipper.status())).put('}');
    change(new AuditEntry(action, actor, name, before.toString(), null), shipper, change);
    return show(name);
  }

  private void change(AuditEntry entry, Shipper shipper, Change change)
      throws IOException, InterruptedException {
    boolean _ =
        audit.change(
            entry,
            () -> {
              change.of(shipper);
              return true;
            });
  }

  Answer rewind(Actor actor, String name, byte[] body) throws IOException, InterruptedException {
    Shipper shipper = sinks.shipper(name);
    if (shipper == null) {
      return unknown(name);
    }
    return switch (bodies.rewind(body)) {
      case SinkBody.ToSequence to -> rewind(actor, shipper, "sequence", to.sequence());
      case SinkBody.ToTime to when to.millis() > clock.millis() ->
          Answer.invalid("time", "is in the future: there is nothing to send again");
      case SinkBody.ToTime to -> rewind(actor, shipper, "time", log.sequenceAt(to.millis()));
      case SinkBody.Wrong wrong -> Answer.invalid(wrong.field(), wrong.reason());
      case SinkBody.Unreadable _, SinkBody.Tuned _ -> unreadable();
    };
  }

  private Answer rewind(Actor actor, Shipper shipper, String field, long next)
      throws IOException, InterruptedException {
    long oldest = log.oldestSequence();
    long last = log.durable();
    if (next > last && field.equals("time")) {
      return Answer.invalid(field, "nothing was received from then on");
    }
    if (next < oldest || next > last) {
      // A rewind to one past the last would send nothing again, and still begin a new account.
      return Answer.invalid(field, "must be from " + oldest + " to " + last);
    }
    long reached = shipper.status().progress().sequence();
    if (next > reached + 1) {
      // A move forwards would leave out waiting records, and count them nowhere.
      return Answer.conflict(
          field, "the sink is at " + reached + ": what waits behind it would be left out");
    }
    try {
      change(
          new AuditEntry(
              AuditAction.SINK_REWOUND,
              actor,
              shipper.name(),
              "{\"sequence\":" + reached + "}",
              "{\"sequence\":" + (next - 1) + "}"),
          shipper,
          one -> one.rewind(next));
    } catch (IllegalArgumentException overtaken) {
      // The oldest records were deleted between the two looks.
      return Answer.conflict(field, "the log has no such records any more");
    } catch (DiskFullException full) {
      return noRoom(shipper.name(), full);
    }
    return show(shipper.name());
  }

  Answer tune(Actor actor, String name, byte[] body) throws IOException, InterruptedException {
    return audit.oneByOne("sink/" + name, () -> tuned(actor, name, body));
  }

  private Answer tuned(Actor actor, String name, byte[] body)
      throws IOException, InterruptedException {
    Shipper shipper = sinks.shipper(name);
    if (shipper == null) {
      return unknown(name);
    }
    SinkStatus status = shipper.status();
    switch (bodies.tuning(body, status.tuning(), status.limits())) {
      case SinkBody.Tuned tuned ->
          change(
              new AuditEntry(
                  AuditAction.SINK_TUNED,
                  actor,
                  name,
                  settings(status.tuning()),
                  settings(tuned.tuning())),
              shipper,
              one -> one.tune(tuned.tuning()));
      case SinkBody.Wrong wrong -> {
        return Answer.invalid(wrong.field(), wrong.reason());
      }
      case SinkBody.Unreadable _, SinkBody.ToSequence _, SinkBody.ToTime _ -> {
        return unreadable();
      }
    }
    return show(name);
  }

  Answer forget(Actor actor, String name) throws IOException, InterruptedException {
    if (sinks.shipper(name) != null) {
      return Answer.conflict("id", "the settings name this sink: take it from sinks.enabled");
    }
    SinkStatus status = sinks.status(name);
    if (status == null) {
      return NOT_FOUND;
    }
    String before = "{\"sequence\":" + status.progress().sequence() + "}";
    AuditEntry entry = new AuditEntry(AuditAction.SINK_FORGOTTEN, actor, name, before, null);
    boolean isGone =
        audit.change(
            entry, () -> sinks.forget(name), isForgotten -> isForgotten ? null : "it was gone");
    return isGone ? Answer.empty(204) : NOT_FOUND;
  }

  private static Answer unreadable() {
    return Answer.unreadable("not a JSON object");
  }

  private Answer unknown(String name) {
    return sinks.status(name) == null
        ? NOT_FOUND
        : Answer.conflict("id", "the settings name this sink no more");
  }

  private static void write(SinkStatus status, JsonBuffer out) {
    out.ascii("{\"name\":").string(status.name()).ascii(",\"kind\":").string(status.kind());
    out.ascii(",\"state\":").string(state(status));
    boolean isConfigured = status.state() != SinkStatus.State.UNCONFIGURED;
    if (isConfigured) {
      out.ascii(",\"ordered\":").ascii(status.isOrdered() ? "true" : "false");
    }
    out.ascii(",\"streams\":").strings(status.streams().stream().map(Stream::label).toList());
    out.ascii(",\"sequence\":").number(status.progress().sequence());
    out.ascii(",\"settledAbove\":").number((long) status.progress().settledAbove());
    out.ascii(",\"waiting\":").number(status.progress().waiting());
    out.ascii(",\"lagSeconds\":").number(status.progress().lagMillis() / 1000.0);
    out.ascii(",\"inFlight\":").number((long) status.progress().inFlight());
    if (status.fault() != null) {
      out.ascii(",\"fault\":").string(status.fault().reason());
      out.ascii(",\"faultAt\":").time(status.fault().atMillis());
    }
    if (isConfigured) {
      writeSettings(status, out);
    }
    out.put('}');
  }

  private static String state(SinkStatus status) {
    return status.state().name().toLowerCase(Locale.ROOT);
  }

  private static String settings(Tuning tuning) {
    JsonBuffer out = new JsonBuffer();
    write(tuning, out);
    return out.toString();
  }

  private static void write(Tuning tuning, JsonBuffer out) {
    out.ascii("{\"batchRecordsMax\":").number((long) tuning.batchRecordsMax());
    out.ascii(",\"batchBytesMax\":").number(tuning.batchBytesMax());
    out.ascii(",\"batchAgeMaxMillis\":").number(tuning.batchAgeMax().toMillis());
    out.ascii(",\"maxConcurrency\":").number((long) tuning.maxConcurrency()).put('}');
  }

  private static void writeSettings(SinkStatus status, JsonBuffer out) {
    out.ascii(",\"settings\":");
    write(status.tuning(), out);
    out.ascii(",\"limits\":{\"batchRecordsMax\":");
    out.number((long) status.limits().batchRecordsMax());
    out.ascii(",\"batchBytesMax\":").number(status.limits().batchBytesMax());
    out.ascii(",\"maxConcurrency\":").number((long) status.limits().concurrencyMax()).put('}');
  }
}
