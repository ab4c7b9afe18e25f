package gilmok.lab.start;

import gilmok.auth.AuthConfig;
import gilmok.auth.Keys;
import gilmok.auth.StoppedServerKeys;
import gilmok.collect.dialect.Dialect;
import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.Upload;
import gilmok.collect.geolocation.Geolocation;
import gilmok.collect.gpslogger.GpsLogger;
import gilmok.collect.json.DecodeOutcome;
import gilmok.collect.json.JsonDecoder;
import gilmok.collect.osmand.Osmand;
import gilmok.collect.overland.Overland;
import gilmok.collect.owntracks.OwnTracks;
import gilmok.config.Settings;
import gilmok.event.DedupKey;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.lab.ScratchFolder;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.SegmentOwner;
import gilmok.log.Stream;
import gilmok.process.Main;
import gilmok.storage.DataFolder;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * The warm-up of the original story, for comparison: before the server starts, the same process
 * calls the methods of its parts directly for some time (decoders, dialects, keys, the log), in a
 * loop on one thread, like a start-up hook of a framework. Everything between the socket and those
 * methods stays cold. Run by {@code lab start}; its arguments are the seconds, then those of the
 * server.
 */
public final class MethodCalls {
  private static final Map<Dialect, String> UPLOADS =
      Map.of(
          new Osmand(), "id=r-1&lat=37.5&lon=126.9&speed=4.2&timestamp=1772440200&batt=50",
          new GpsLogger(), "id=r-1&lat=37.5&lon=126.9&spd=4.2&timestamp=1772440200&batt=50",
          new Geolocation(),
              "{\"location\":{\"timestamp\":\"2026-03-02T09:30:00Z\",\"coords\":"
                  + "{\"latitude\":37.5,\"longitude\":126.9}},\"device_id\":\"r-1\"}",
          new OwnTracks(),
              "{\"_type\":\"location\",\"lat\":37.5,\"lon\":126.9,\"tst\":1772440200,\"acc\":4}",
          new Overland(),
              "{\"locations\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\","
                  + "\"coordinates\":[126.9,37.5]},\"properties\":{\"timestamp\":"
                  + "\"2026-03-02T09:30:00Z\",\"device_id\":\"r-1\"}}]}");

  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();
  private final EventView view = new EventView();
  private final DialectEvent dialectEvent = new DialectEvent();
  private final AppendBatch batch = new AppendBatch();
  private final DedupKey key = new DedupKey(new byte[DedupKey.SECRET_BYTES]);
  private final Keys keys;
  private final Log log;
  private final String secret;

  private MethodCalls(Keys keys, Log log, String secret) {
    this.keys = keys;
    this.log = log;
    this.secret = secret;
  }

  /** Calls the methods, then serves. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    call(Double.parseDouble(arguments[0]));
    Main.main(Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  private static void call(double seconds) throws IOException, InterruptedException {
    Path data = ScratchFolder.create(null, "calls-");
    try {
      String secret = Placeholders.in(data).getOrDefault("fleet", "");
      SecureRandom random = new SecureRandom();
      InstantSource clock = InstantSource.system();
      LogContext context =
          new LogContext(
              new FileDisk(),
              clock,
              random,
              (stream, bytes, offset, length, key) -> {},
              LogMeter.NONE,
              failure -> System.err.println(failure));
      try (DataFolder folder =
              DataFolder.open(data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, random);
          StoppedServerKeys kept = new StoppedServerKeys(data);
          Log log = Log.open(LogConfig.DEFAULTS, context, data, folder.node())) {
        AuthConfig config = AuthConfig.of(new Settings(Map.of()));
        Keys keys = Keys.openAsTheyAre(kept.store(), data, config, clock, random);
        long calls = new MethodCalls(keys, log, secret).callFor((long) (seconds * 1e9));
        System.err.println(calls + " rounds of method calls");
      }
    } finally {
      ScratchFolder.delete(data);
    }
  }

  private long callFor(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    long round = 0;
    while (System.nanoTime() - end < 0) {
      once(round++);
    }
    return round;
  }

  private void once(long round) throws InterruptedException {
    keys.check(secret, null, null);
    keys.check(null, "Bearer " + secret, null);
    keys.check(null, null, "gk_nobody");
    String position =
        "{\"riderId\":\"r-%d\",\"at\":%d,\"lat\":37.5%d,\"lon\":126.97,\"speed\":4.2}"
            .formatted(round % 1000, System.currentTimeMillis(), round);
    append(EventKind.POSITION, Stream.TRACES, position);
    if (round % 4 == 0) {
      String many = String.join(",", List.of(position, position.replace("37.5", "37.6")));
      append(EventKind.POSITION, Stream.TRACES, "[" + many + "]");
      append(
          EventKind.ACTION,
          Stream.ACTIONS,
          "{\"riderId\":\"r-1\",\"at\":1772440200000,\"type\":\"seen\",\"id\":\"" + round + "\"}");
      decoder.decode(EventKind.POSITION, bytes("{\"riderId\":"), 0, 11, events);
    }
    for (Map.Entry<Dialect, String> one : UPLOADS.entrySet()) {
      events.clear();
      dialectEvent.upload(events, device -> device);
      one.getKey()
          .decode(Upload.of(one.getValue(), System.currentTimeMillis()).of("r-1"), dialectEvent);
    }
  }

  /** Decodes and appends a record, and waits until it is durable. */
  private void append(EventKind kind, Stream stream, String json) throws InterruptedException {
    byte[] body = bytes(json);
    if (decoder.decode(kind, body, 0, body.length, events) != DecodeOutcome.READ) {
      throw new IllegalStateException(json);
    }
    batch.clear();
    for (int i = 0; i < events.count(); i++) {
      view.wrap(events.bytes(), events.offset(i), events.length(i));
      key.hash(stream.code(), events.bytes(), events.offset(i), events.length(i));
      batch.add(stream, events.bytes(), events.offset(i), events.length(i), key.high(), key.low());
    }
    CountDownLatch durable = new CountDownLatch(1);
    AppendCompletion completion =
        new AppendCompletion() {
          @Override
          protected void durable() {
            durable.countDown();
          }
        };
    if (log.append(batch, completion) == AppendResult.TAKEN) {
      durable.await();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
