package gilmok.ledger;

import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Refusal;
import gilmok.log.Log;
import gilmok.log.Stream;
import gilmok.sinks.Shipper;
import gilmok.sinks.SinkStatus;
import gilmok.sinks.Sinks;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Locale;

/**
 * The routes' view of the sinks: those in the settings, and those that were removed from them.
 * Reads files, so it blocks; thread-safe.
 */
final class SinkService {
  private static final Answer NOT_FOUND =
      Answer.refused(Refusal.NOT_FOUND, "id", "nothing is known under it");

  private final Log log;
  private final Sinks sinks;
  private final InstantSource clock;
  private final SinkBody.Reader bodies = new SinkBody.Reader();

  SinkService(Log log, Sinks sinks, InstantSource clock) {
    this.log = log;
    this.sinks = sinks;
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

  Answer pause(String name) throws IOException, InterruptedException {
    return change(name, Shipper::pause);
  }

  Answer resume(String name) throws IOException, InterruptedException {
    return change(name, Shipper::resume);
  }

  private interface Change {
    void of(Shipper shipper) throws IOException, InterruptedException;
  }

  private Answer change(String name, Change change) throws IOException, InterruptedException {
    Shipper shipper = sinks.shipper(name);
    if (shipper == null) {
      return unknown(name);
    }
    change.of(shipper);
    return show(name);
  }

  Answer rewind(String name, byte[] body) throws IOException, InterruptedException {
    Shipper shipper = sinks.shipper(name);
    if (shipper == null) {
      return unknown(name);
    }
    return switch (bodies.rewind(body)) {
      case SinkBody.ToSequence to -> rewind(shipper, "sequence", to.sequence());
      case SinkBody.ToTime to when to.millis() > clock.millis() ->
          Answer.invalid("time", "is in the future: there is nothing to send again");
      case SinkBody.ToTime to -> rewind(shipper, "time", log.sequenceAt(to.millis()));
      case SinkBody.Wrong wrong -> Answer.invalid(wrong.field(), wrong.reason());
      case SinkBody.Unreadable _, SinkBody.Tuned _ -> unreadable();
    };
  }

  private Answer rewind(Shipper shipper, String field, long next)
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
      shipper.rewind(next);
    } catch (IllegalArgumentException overtaken) {
      // The oldest records were deleted between the two looks.
      return Answer.conflict(field, "the log has no such records any more");
    }
    return show(shipper.name());
  }

  Answer tune(String name, byte[] body) throws IOException, InterruptedException {
    Shipper shipper = sinks.shipper(name);
    if (shipper == null) {
      return unknown(name);
    }
    SinkStatus status = shipper.status();
    switch (bodies.tuning(body, status.tuning(), status.limits())) {
      case SinkBody.Tuned tuned -> shipper.tune(tuned.tuning());
      case SinkBody.Wrong wrong -> {
        return Answer.invalid(wrong.field(), wrong.reason());
      }
      case SinkBody.Unreadable _, SinkBody.ToSequence _, SinkBody.ToTime _ -> {
        return unreadable();
      }
    }
    return show(name);
  }

  Answer forget(String name) throws IOException, InterruptedException {
    if (sinks.shipper(name) != null) {
      return Answer.conflict("id", "the settings name this sink: take it from sinks.enabled");
    }
    return sinks.forget(name) ? Answer.empty(204) : NOT_FOUND;
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
    out.ascii(",\"state\":").string(status.state().name().toLowerCase(Locale.ROOT));
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

  private static void writeSettings(SinkStatus status, JsonBuffer out) {
    out.ascii(",\"settings\":{\"batchRecordsMax\":");
    out.number((long) status.tuning().batchRecordsMax());
    out.ascii(",\"batchBytesMax\":").number(status.tuning().batchBytesMax());
    out.ascii(",\"batchAgeMaxMillis\":").number(status.tuning().batchAgeMax().toMillis());
    out.ascii(",\"maxConcurrency\":").number((long) status.tuning().maxConcurrency());
    out.ascii("},\"limits\":{\"batchRecordsMax\":");
    out.number((long) status.limits().batchRecordsMax());
    out.ascii(",\"batchBytesMax\":").number(status.limits().batchBytesMax());
    out.ascii(",\"maxConcurrency\":").number((long) status.limits().concurrencyMax()).put('}');
  }
}
