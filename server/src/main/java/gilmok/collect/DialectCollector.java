package gilmok.collect;

import gilmok.auth.Binding;
import gilmok.collect.dialect.Command;
import gilmok.collect.dialect.Dialect;
import gilmok.collect.dialect.Entry;
import gilmok.collect.dialect.Upload;
import gilmok.event.Events;
import gilmok.event.HiddenKey;
import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.log.Admission;
import gilmok.log.Draft;
import gilmok.log.Stream;
import gilmok.log.Ticket;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop needs to take uploads of phone apps: dialects, buffers, draft, all reused.
 * Whatever was sent is answered 200 once it is on disk: as records, or set aside with the reason.
 *
 * <p>Not thread-safe: one for each event loop.
 */
final class DialectCollector {
  private final Acceptor acceptor;
  private final CollectMeter meter;
  private final Phones phones;
  private final InstantSource clock;
  private final Parcel parcel;
  private final Events events;
  private final Entry entry = new Entry();
  private final Dialects dialects = new Dialects();
  private final UploadReader uploads = new UploadReader();
  private final JsonBuffer out = new JsonBuffer();

  DialectCollector(
      Acceptor acceptor, byte[] secret, CollectMeter meter, Phones phones, InstantSource clock) {
    this.acceptor = acceptor;
    this.meter = meter;
    this.phones = phones;
    this.clock = clock;
    this.parcel = new Parcel(secret);
    this.events = parcel.events();
  }

  CollectMeter meter() {
    return meter;
  }

  void collect(Exchange exchange, DialectRoutes.Door door) {
    Upload upload = uploads.read(exchange, door, clock.millis());
    Dialect dialect = dialects.of(door, upload, uploads.isJson());
    Binding binding = exchange.principal().binding();
    if (binding != null && !dialects.isOwnTracks(dialect)) {
      upload = upload.of(binding.id());
    }
    events.clear();
    entry.upload(events, phones::riderOf);
    String fault = uploads.isBody() ? exchange.bodyFault() : null;
    if (fault == null) {
      dialect.decode(upload, entry);
    } else {
      events.reject(0, "body", fault, upload.offset(), upload.end());
    }
    String stranger = parcel.stranger(binding);
    if (stranger != null) {
      exchange.refuse(Refusal.NOT_YOURS, "id", stranger);
    } else if (isAnothers(binding)) {
      exchange.refuse(Refusal.NOT_YOURS, "id", "the key is bound to another rider");
    } else if (events.count() + events.rejectCount() == 0) {
      answer(exchange, dialect, List.copyOf(entry.devices()));
    } else {
      store(exchange, dialect, upload);
    }
  }

  /**
   * Whether a device is another rider's, also one of what is set aside: its answer would be, too.
   */
  private boolean isAnothers(@Nullable Binding binding) {
    if (binding == null) {
      return false;
    }
    for (String device : entry.devices()) {
      if (!phones.riderOf(device).equals(binding.id())) {
        return true;
      }
    }
    return false;
  }

  private void store(Exchange exchange, Dialect dialect, Upload upload) {
    for (String device : entry.devices()) {
      phones.heard(device, dialect.label());
    }
    if (events.count() > 0) {
      HiddenKey.in(events.bytes(), 0, events.offset(events.count()));
    }
    Parcel.Counts counts = parcel.counts(Stream.TRACES);
    DialectAnswer ticket =
        new DialectAnswer(exchange, this, dialect, List.copyOf(entry.devices()), counts);
    Admission admission = append(upload.bytes(), 0, parcel.size(), ticket, counts);
    if (admission != Admission.TAKEN) {
      Collector.refuse(exchange, admission);
    }
  }

  /**
   * Appends a piece of what was found, in halves where the log does not take it at once: an app
   * would send the same again for ever. It answers when the last piece is on disk, as all before it
   * are then. What is refused in the middle is a repeat when it is sent again.
   */
  private Admission append(
      byte[] body, int from, int to, DialectAnswer ticket, Parcel.Counts counts) {
    Draft draft = parcel.pack(body, Stream.TRACES, from, to);
    Admission admission = acceptor.append(draft, to == parcel.size() ? ticket : new Piece());
    if (admission == Admission.TAKEN) {
      parcel.count(counts, from, to);
    } else if (admission == Admission.TOO_LARGE && to - from > 1) {
      int middle = (from + to) >>> 1;
      admission = append(body, from, middle, ticket, counts);
      return admission == Admission.TAKEN ? append(body, middle, to, ticket, counts) : admission;
    }
    return admission;
  }

  /** Nobody waits for it, but for what comes behind it in the log. */
  private static final class Piece extends Ticket {
    @Override
    protected void durable() {
      // The last one answers.
    }
  }

  /** Answers 200 with what the app expects, and what waits for its phone. On the event loop. */
  void answer(Exchange exchange, Dialect dialect, List<String> devices) {
    List<Command> commands = List.of();
    List<byte[]> friends = List.of();
    // The answer to a HEAD carries nothing down.
    if (devices.size() == 1 && !exchange.method().equals("HEAD")) {
      String device = devices.getFirst();
      commands =
          phones.take(device, dialect.commandsMax(), command -> dialect.refusal(command) == null);
      friends = phones.friends(device);
    }
    out.clear();
    dialect.answer(commands, friends, out);
    exchange.reply(200, dialect.answerType(), Arrays.copyOf(out.bytes(), out.size()));
    meter.uploaded(dialect.label());
  }
}
