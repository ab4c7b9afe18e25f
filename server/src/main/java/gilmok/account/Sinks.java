package gilmok.account;

import gilmok.event.JsonBuffer;
import gilmok.http.Refusal;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.ship.Shipper;
import gilmok.ship.SinkStatus;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The sinks that the settings name, and the cursors of those that they name no more. Blocks for
 * files; thread-safe.
 */
final class Sinks {
  private static final String CURSOR = "ship.";

  private final Log log;
  private final List<Shipper> shippers;
  private final InstantSource clock;
  private final SinkBody.Reader bodies = new SinkBody.Reader();

  Sinks(Log log, List<Shipper> shippers, InstantSource clock) {
    this.log = log;
    this.shippers = shippers;
    this.clock = clock;
  }

  Answer list() throws IOException, InterruptedException {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"items\":[");
    boolean isFirst = true;
    for (Shipper shipper : shippers) {
      out.ascii(isFirst ? "" : ",");
      write(shipper.status(), out);
      isFirst = false;
    }
    for (String name : unconfigured()) {
      out.ascii(isFirst ? "" : ",");
      writeUnconfigured(name, out);
      isFirst = false;
    }
    return new Answer.Done(200, out.ascii("],\"next\":null}"));
  }

  Answer show(String name) throws IOException, InterruptedException {
    JsonBuffer out = new JsonBuffer();
    Shipper shipper = find(name);
    if (shipper != null) {
      write(shipper.status(), out);
    } else if (unconfigured().contains(name)) {
      writeUnconfigured(name, out);
    } else {
      return Answer.NOT_FOUND;
    }
    return new Answer.Done(200, out);
  }

  Answer pause(String name) throws IOException, InterruptedException {
    Shipper shipper = find(name);
    if (shipper == null) {
      return unknown(name);
    }
    shipper.pause();
    return show(name);
  }

  Answer resume(String name) throws IOException, InterruptedException {
    Shipper shipper = find(name);
    if (shipper == null) {
      return unknown(name);
    }
    shipper.resume();
    return show(name);
  }

  Answer rewind(String name, byte[] body) throws IOException, InterruptedException {
    Shipper shipper = find(name);
    if (shipper == null) {
      return unknown(name);
    }
    return switch (bodies.rewind(body)) {
      case SinkBody.ToSequence to -> rewind(shipper, "sequence", to.sequence());
      case SinkBody.ToTime to -> rewind(shipper, "time", log.sequenceAt(to.millis()));
      case SinkBody.Wrong wrong -> Answer.Refused.invalid(wrong.field(), wrong.reason());
      case SinkBody.Unreadable _, SinkBody.Tuned _ -> unreadable();
    };
  }

  private Answer rewind(Shipper shipper, String field, long next)
      throws IOException, InterruptedException {
    long oldest = log.oldestSequence();
    long last = log.durable() + 1;
    if (next < oldest || next > last) {
      return Answer.Refused.invalid(field, "must be from " + oldest + " to " + last);
    }
    try {
      shipper.rewind(next);
    } catch (IllegalArgumentException overtaken) {
      // Its oldest records went between the two looks.
      return Answer.Refused.conflict(field, "the log has no such records any more");
    }
    return show(shipper.status().name());
  }

  Answer tune(String name, byte[] body) throws IOException, InterruptedException {
    Shipper shipper = find(name);
    if (shipper == null) {
      return unknown(name);
    }
    SinkStatus status = shipper.status();
    switch (bodies.tuning(body, status.tuning(), status.limits())) {
      case SinkBody.Tuned tuned -> shipper.tune(tuned.tuning());
      case SinkBody.Wrong wrong -> {
        return Answer.Refused.invalid(wrong.field(), wrong.reason());
      }
      case SinkBody.Unreadable _, SinkBody.ToSequence _, SinkBody.ToTime _ -> {
        return unreadable();
      }
    }
    return show(name);
  }

  Answer forget(String name) throws IOException, InterruptedException {
    if (find(name) != null) {
      return Answer.Refused.conflict("id", "the settings name this sink: take it from ship.sinks");
    }
    boolean isThere = unconfigured().contains(name);
    return isThere && log.forget(CURSOR + name)
        ? new Answer.Done(204, null)
        : Answer.NOT_FOUND;
  }

  private static Answer unreadable() {
    return new Answer.Refused(Refusal.UNREADABLE, "body", "not a JSON object");
  }

  private Answer unknown(String name) {
    return unconfigured().contains(name)
        ? Answer.Refused.conflict("id", "the settings name this sink no more")
        : Answer.NOT_FOUND;
  }

  private @Nullable Shipper find(String name) {
    for (Shipper shipper : shippers) {
      if (shipper.status().name().equals(name)) {
        return shipper;
      }
    }
    return null;
  }

  private List<String> unconfigured() {
    List<String> names = new ArrayList<>();
    for (String cursor : log.cursors()) {
      String name = cursor.startsWith(CURSOR) ? cursor.substring(CURSOR.length()) : "";
      if (!name.isEmpty() && find(name) == null) {
        names.add(name);
      }
    }
    return names;
  }

  private static void write(SinkStatus status, JsonBuffer out) {
    out.ascii("{\"name\":").string(status.name()).ascii(",\"kind\":").string(status.kind());
    out.ascii(",\"state\":").string(status.state().name().toLowerCase(Locale.ROOT));
    out.ascii(",\"ordered\":").ascii(status.isOrdered() ? "true" : "false");
    out.ascii(",\"streams\":[");
    boolean isFirst = true;
    for (Stream stream : status.streams()) {
      out.ascii(isFirst ? "" : ",").string(stream.label());
      isFirst = false;
    }
    out.ascii("],\"sequence\":").number(status.sequence());
    out.ascii(",\"settledAbove\":").number((long) status.settledAbove());
    out.ascii(",\"waiting\":").number(status.waiting());
    out.ascii(",\"lagSeconds\":").number(status.lagMillis() / 1000.0);
    out.ascii(",\"inFlight\":").number((long) status.inFlight());
    if (status.fault() != null) {
      out.ascii(",\"fault\":").string(status.fault());
      out.ascii(",\"faultAt\":").time(status.faultAtMillis());
    }
    out.ascii(",\"settings\":{\"batchRecordsMax\":");
    out.number((long) status.tuning().batchRecordsMax());
    out.ascii(",\"batchBytesMax\":").number(status.tuning().batchBytesMax());
    out.ascii(",\"batchAgeMaxMillis\":").number(status.tuning().batchAgeMax().toMillis());
    out.ascii(",\"maxConcurrency\":").number((long) status.tuning().maxConcurrency());
    out.ascii("},\"limits\":{\"batchRecordsMax\":");
    out.number((long) status.limits().batchRecordsMax());
    out.ascii(",\"batchBytesMax\":").number(status.limits().batchBytesMax());
    out.ascii(",\"maxConcurrency\":").number((long) status.limits().concurrencyMax());
    out.ascii("}}");
  }

  /** Which streams it took is not known any more, so everything waits for it. */
  private void writeUnconfigured(String name, JsonBuffer out)
      throws IOException, InterruptedException {
    long sequence = log.cursor(CURSOR + name).sequence();
    int dash = name.indexOf('-');
    out.ascii("{\"name\":").string(name);
    out.ascii(",\"kind\":").string(dash < 0 ? name : name.substring(0, dash));
    out.ascii(",\"state\":\"unconfigured\",\"sequence\":").number(sequence);
    long waiting = 0;
    double lagSeconds = 0;
    try (LogReader reader = log.reader(sequence + 1)) {
      if (reader.next()) {
        waiting = log.durable() - reader.sequence() + 1;
        lagSeconds = Math.max(0, clock.millis() - reader.receivedAtMillis()) / 1000.0;
      }
    }
    out.ascii(",\"waiting\":").number(waiting);
    out.ascii(",\"lagSeconds\":").number(lagSeconds).put('}');
  }
}
