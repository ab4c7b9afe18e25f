package gilmok.collect;

import gilmok.auth.Binding;
import gilmok.collect.dialect.Dialect;
import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.dialect.Upload;
import gilmok.collect.format.Format;
import gilmok.collect.format.FormatDecoder;
import gilmok.collect.format.ValueSource;
import gilmok.collect.json.RecordRule;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.HiddenKey;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.Stream;
import gilmok.privacy.Consents;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects uploads of phone apps on one event loop, with dialects, buffers and a batch that are
 * reused. Whatever was sent is answered 200 once it is durable: as records, or set aside with the
 * reason.
 *
 * <p>Not thread-safe: one for each event loop.
 */
final class DialectCollector {
  /** The completion of a piece that is not answered itself; the answer comes with a later piece. */
  private static final AppendCompletion UNANSWERED = AppendCompletion.of(() -> {});

  private final RecordAppender recordAppender;
  private final ActionRule actionRule;
  private final AckRule rule;
  private final CollectMeters meter;
  private final Phones phones;
  private final InstantSource clock;
  private final Consents consents;
  private final ConsentDoor door;
  private final RecordBatchBuilder records;
  private final Events events;
  private final DialectEvent dialectEvent = new DialectEvent();
  private final Dialects dialects = new Dialects();
  private final IdentityHashMap<Format, FormatDecoder> formats = new IdentityHashMap<>();
  private final UploadReader uploads = new UploadReader();
  private final JsonBuffer out = new JsonBuffer();

  DialectCollector(
      RecordAppender recordAppender,
      ActionRule actionRule,
      AckRule rule,
      byte[] secret,
      CollectMeters meter,
      Phones phones,
      Consents consents,
      InstantSource clock) {
    this.consents = consents;
    door = new ConsentDoor(consents.view(), meter);
    this.recordAppender = recordAppender;
    this.actionRule = actionRule;
    this.rule = rule;
    this.meter = meter;
    this.phones = phones;
    this.clock = clock;
    this.records = new RecordBatchBuilder(secret);
    this.events = records.events();
  }

  /** An upload and what reads it. */
  private record Read(Dialect dialect, Upload upload) {}

  void collect(Exchange exchange, UploadEndpoint uploadEndpoint) {
    Read read = read(exchange, uploadEndpoint);
    collect(exchange, read.dialect, read.upload, Stream.TRACES);
  }

  /** Collects an upload in a declared format. */
  void collect(Exchange exchange, Format format) {
    Read read = read(exchange, format);
    collect(exchange, read.dialect, read.upload, RecordBatchBuilder.stream(format.kind()));
  }

  /** Whether all of an upload may be passed on to another server. */
  boolean mayPassOn(Exchange exchange, UploadEndpoint uploadEndpoint) {
    return !consents.isAny() || mayPassOn(exchange, read(exchange, uploadEndpoint));
  }

  /** Whether all of an upload in a declared format may be passed on. */
  boolean mayPassOn(Exchange exchange, Format format) {
    return !consents.isAny() || mayPassOn(exchange, read(exchange, format));
  }

  private boolean mayPassOn(Exchange exchange, Read read) {
    Upload upload = decode(exchange, read.dialect, read.upload);
    return !door.isClosedTo(events, upload.bytes(), riders(exchange));
  }

  /** To whom the upload's rejects may belong: the riders of its devices, and of its key. */
  private List<String> riders(Exchange exchange) {
    List<String> riders = new ArrayList<>();
    dialectEvent.devices().forEach(device -> riders.add(phones.devices().riderOf(device)));
    Binding binding = exchange.principal().binding();
    if (binding != null) {
      riders.add(binding.id());
    }
    return riders;
  }

  private Read read(Exchange exchange, UploadEndpoint uploadEndpoint) {
    Upload upload = uploads.read(exchange, uploadEndpoint, clock.millis());
    return new Read(dialects.of(uploadEndpoint, upload, uploads.isJson()), upload);
  }

  private Read read(Exchange exchange, Format format) {
    FormatDecoder decoder = formats.computeIfAbsent(format, FormatDecoder::new);
    boolean isForm = format.shape().content() == Format.Content.FORM;
    decoder.begin(
        source ->
            switch (source) {
              case ValueSource.Header(String name) -> exchange.header(name);
              case ValueSource.Query(String name) -> exchange.query(name);
              case ValueSource.Segment(String name) -> exchange.pathParameter(name);
              default -> null;
            },
        format.kind() == EventKind.ACTION ? actionRule.of(exchange.principal()) : RecordRule.NONE);
    return new Read(decoder, uploads.readDeclared(exchange, isForm, clock.millis()));
  }

  private void collect(Exchange exchange, Dialect dialect, Upload sent, Stream meant) {
    if (!phones.devices().isRead() || !consents.isRead()) {
      exchange.refuse(Refusal.BUSY); // stored under a wrong rider, or of one who does not agree
      return;
    }
    Binding binding = exchange.principal().binding();
    Upload upload = decode(exchange, dialect, sent);
    String stranger = records.stranger(binding);
    if (stranger != null) {
      exchange.refuse(Refusal.NOT_YOURS, "id", stranger);
    } else if (isAnothers(binding)) {
      exchange.refuse(Refusal.NOT_YOURS, "id", "the key is bound to another rider");
    } else {
      if (consents.isAny()) {
        int _ = door.close(events, upload.bytes(), riders(exchange));
      }
      if (records.size() == 0) {
        answer(exchange, dialect, List.copyOf(dialectEvent.devices()), null);
      } else {
        store(exchange, dialect, upload, meant);
      }
    }
  }

  private Upload decode(Exchange exchange, Dialect dialect, Upload sent) {
    Binding binding = exchange.principal().binding();
    Upload upload = binding == null || dialects.isOwnTracks(dialect) ? sent : sent.of(binding.id());
    events.clear();
    dialectEvent.upload(events, phones.devices()::riderOf);
    String fault = uploads.isBody() ? exchange.bodyFault() : null;
    if (fault == null) {
      dialect.decode(upload, dialectEvent);
    } else {
      events.reject(0, "body", fault, upload.offset(), upload.end());
    }
    return upload;
  }

  /**
   * Whether a device of the upload belongs to another rider. Devices of rejected events count, too,
   * as the answer would hold that rider's commands.
   */
  private boolean isAnothers(@Nullable Binding binding) {
    if (binding == null) {
      return false;
    }
    for (String device : dialectEvent.devices()) {
      if (!phones.devices().riderOf(device).equals(binding.id())) {
        return true;
      }
    }
    return false;
  }

  private void store(Exchange exchange, Dialect dialect, Upload upload, Stream meant) {
    for (String device : dialectEvent.devices()) {
      phones.devices().heard(device, dialect.label());
    }
    if (events.count() > 0) {
      HiddenKey.in(events.bytes(), 0, events.offset(events.count()));
    }
    records.traced(exchange.trace());
    exchange.setAside(events.rejectCount());
    RecordBatchBuilder.Counts counts = records.counts(meant);
    List<String> devices = List.copyOf(dialectEvent.devices());
    UploadAck ticket = new UploadAck(exchange, dialect, devices, counts, measured(dialect));
    Refusal lack = ticket.lack();
    if (lack != null) {
      exchange.refuse(lack);
      return;
    }
    AppendResult result = append(upload.bytes(), meant, 0, records.size(), ticket, counts);
    if (result == AppendResult.TAKEN) {
      ticket.taken(ticket.stored() < records.size());
    } else {
      Collector.refuse(exchange, result);
    }
  }

  /**
   * Appends the records {@code from} to {@code to}, in halves if they are too many for one batch:
   * refused, the app would send the same again for ever. The last piece completes the ticket, as
   * all pieces before it are durable by then. If a later half is refused, the pieces before it are
   * duplicates when the app sends them again.
   */
  private AppendResult append(
      byte[] body,
      Stream meant,
      int from,
      int to,
      AppendCompletion ticket,
      RecordBatchBuilder.Counts counts) {
    AppendBatch batch = records.pack(body, meant, from, to);
    AppendResult result = recordAppender.append(batch, to == records.size() ? ticket : UNANSWERED);
    if (result == AppendResult.TAKEN) {
      records.count(counts, from, to);
    } else if (result == AppendResult.TOO_LARGE && to - from > 1) {
      int middle = (from + to) >>> 1;
      result = append(body, meant, from, middle, ticket, counts);
      return result == AppendResult.TAKEN
          ? append(body, meant, middle, to, ticket, counts)
          : result;
    }
    return result;
  }

  /**
   * Answers 200 with what the app expects, and with what waits for its phone. On the event loop.
   */
  private void answer(
      Exchange exchange, Dialect dialect, List<String> devices, @Nullable Stored stored) {
    // The answer to a HEAD has no body to carry commands.
    boolean isTold = devices.size() == 1 && !exchange.method().equals("HEAD");
    String device = isTold ? devices.getFirst() : null;
    if (device != null && phones.devices().hasCommands(device)) {
      phones
          .devices()
          .take(
              exchange,
              device,
              dialect.commandsMax(),
              command -> dialect.refusal(command) == null,
              commands -> answer(exchange, dialect, device, commands, stored));
    } else {
      answer(exchange, dialect, device, List.of(), stored);
    }
  }

  private void answer(
      Exchange exchange,
      Dialect dialect,
      @Nullable String device,
      List<PhoneCommand> commands,
      @Nullable Stored stored) {
    List<byte[]> friends = device == null ? List.of() : phones.friends(device);
    out.clear();
    dialect.answer(commands, friends, out);
    int status = dialect.answerStatus();
    String type = dialect.answerType();
    boolean isEmpty = out.size() == 0 && type.isEmpty();
    if (stored != null) {
      byte[] body = out.copy();
      phones
          .followup()
          .answer(
              exchange,
              stored.riderId,
              stored.sequence,
              isEmpty ? Answer.empty(status) : asked -> asked.reply(status, type, body));
    } else if (isEmpty) {
      exchange.reply(status);
    } else {
      exchange.reply(status, type, out.copy());
    }
    meter.uploaded(dialect.label());
  }

  /** What an upload that is answered with indicators has stored. */
  private record Stored(String riderId, long sequence) {}

  /** The rider whose indicators are the answer; null if the usual answer is wanted. */
  private @Nullable String measured(Dialect dialect) {
    boolean isWanted =
        dialect instanceof FormatDecoder decoder && decoder.format().answer().hasIndicators();
    if (!isWanted || events.count() == 0) {
      return null;
    }
    return new EventView().wrap(events.bytes(), events.offset(0), events.length(0)).riderId();
  }

  /**
   * The answer to one upload. It waits for the fsync or for a sink, and goes out on the exchange's
   * event loop.
   */
  private final class UploadAck extends AckCompletion implements Runnable {
    private final Exchange exchange;
    private final Dialect dialect;
    private final List<String> devices;
    private final RecordBatchBuilder.Counts counts;
    private final @Nullable String rider;

    UploadAck(
        Exchange exchange,
        Dialect dialect,
        List<String> devices,
        RecordBatchBuilder.Counts counts,
        @Nullable String rider) {
      super(rule);
      this.rider = rider;
      this.exchange = exchange;
      this.dialect = dialect;
      this.devices = devices;
      this.counts = counts;
    }

    @Override
    void over() {
      exchange.execute(this);
    }

    @Override
    public void run() {
      meter.answered(by());
      tellTimes(exchange);
      if (by() == null) {
        exchange.refuse(Refusal.SINK_AWAY);
        return;
      }
      long last = stored() == 0 ? 0 : first() + stored() - 1;
      answer(exchange, dialect, devices, rider == null ? null : new Stored(rider, last));
      counts.tell(meter);
    }
  }
}
