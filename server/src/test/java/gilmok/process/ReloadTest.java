package gilmok.process;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Adjustables;
import gilmok.app.ServerConfig;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.config.SettingsReader;
import gilmok.deliveries.relay.RelayConfig;
import gilmok.http.HttpConfig;
import gilmok.observe.Meters;
import gilmok.runtime.LoggingConfig;
import gilmok.sinks.Tuning;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What a reload applies, names and refuses, tested without a process and without signals. */
@Tag("unit")
@ResourceLock("java.util.logging")
final class ReloadTest {
  @TempDir Path folder;

  private final Map<String, String> given = new HashMap<>();
  private final List<LoggingConfig> shown = new ArrayList<>();
  private final List<ServerConfig> followed = new ArrayList<>();
  private final Lines lines = new Lines();
  private Instant now = Instant.ofEpochSecond(1_000);
  private Meters meters;
  private Reload reload;

  /** Listeners that do nothing: this test needs no network. */
  private static final class NoDoor implements Adjustables.Door {
    @Override
    public void check(ServerConfig other) {}

    @Override
    public boolean takeCertificate(ServerConfig other) {
      return false;
    }
  }

  /** Collects the lines that are logged. */
  private static final class Lines extends Handler {
    private final Logger logger = Logger.getLogger("gilmok");
    private final List<String> all = new CopyOnWriteArrayList<>();

    Lines() {
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord record) {
      if (logger.getName().equals(record.getLoggerName())) { // no part's that runs meanwhile
        all.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
    }
  }

  @BeforeEach
  void start() throws Exception {
    meters = new Meters();
    given.put("data", folder.toString());
    given.put("sinks.enabled", "files");
    begin(() -> new Settings(given));
  }

  /** Makes a server that consists of its settings only. */
  private void begin(SettingsReader reader) throws Exception {
    Settings settings = new Settings(given);
    ServerConfig config = ServerConfig.from(settings);
    Adjustables server = new Adjustables(new NoDoor(), meters);
    server.add((_, next) -> followed.add(next));
    reload = new Reload(settings, config, reader, server, shown::add, () -> now);
  }

  @AfterEach
  void close() {
    lines.close();
    meters.close();
  }

  @Test
  void ask_settingsThatChange_areDated() {
    String name = "gilmok_settings_changed_timestamp_seconds ";
    assertThat(metrics()).contains(name + "1000\n");
    now = Instant.ofEpochSecond(2_000);
    reload.ask();
    assertThat(metrics()).contains(name + "1000\n");

    given.put("relay.timeout", "3 s");
    reload.ask();
    assertThat(metrics()).contains(name + "2000\n");
  }

  @Test
  void ask_whatCanChange_isFollowed_andSaid() {
    given.put("logging.level", "debug");
    given.put("sinks.files.batch-age-max", "250 ms");
    given.put("relay.timeout", "3 s");

    reload.ask();

    ServerConfig next = followed.getLast();
    assertThat(next.of(RelayConfig.class).timeout()).isEqualTo(Duration.ofSeconds(3));
    Tuning tuning = next.sinks().sinks().getFirst().common().tuning();
    assertThat(tuning.batchAgeMax()).isEqualTo(Duration.ofMillis(250));
    assertThat(shown.getLast().level()).isEqualTo(LoggingConfig.Gravity.DEBUG);
    assertThat(lines.all)
        .contains("INFO logging.level = debug; was info", "INFO relay.timeout = 3 s; was 15 s");
    assertThat(lines.all.getLast())
        .startsWith(
            "INFO reloaded: logging.level, relay.timeout, sinks.files.batch-age-max; unchanged: ")
        .endsWith("; next start: nothing");
    assertThat(metrics())
        .contains("gilmok_reloads_total{result=\"ok\"} 1", "gilmok_reload_pending_settings 0");
  }

  @Test
  void ask_whatCannotChange_isNamed_andStaysCountedUntilItIsAsBefore() {
    given.put("http.port", "9999");
    given.put("sinks.enabled", "files,redis");
    given.put("redis.url", "redis://u:no-one-may-see-this@127.0.0.1");

    reload.ask();
    reload.ask();

    assertThat(followed.getLast().of(HttpConfig.class).port()).isEqualTo(8080);
    assertThat(followed.getLast().sinks().sinks()).hasSize(1);
    String port = "WARNING http.port changed from 8080 to 9999: takes effect at the next start";
    assertThat(lines.all.stream().filter(port::equals)).as("each time").hasSize(2);
    assertThat(lines.all)
        .contains(
            "WARNING redis.url changed from none to ********: takes effect at the next start",
            "WARNING sinks.redis.batch-age-max changed from none to 100 ms: takes effect at the"
                + " next start")
        .noneMatch(line -> line.contains("no-one-may-see-this"));
    assertThat(lines.all.getLast())
        .contains("next start: http.port, redis.url, sinks.enabled, sinks.redis.b");
    assertThat(metrics()).doesNotContain("gilmok_reload_pending_settings 0");

    given.keySet().retainAll(List.of("data"));
    given.put("sinks.enabled", "files");
    reload.ask();

    assertThat(metrics()).contains("gilmok_reload_pending_settings 0");
    assertThat(lines.all.getLast()).startsWith("INFO reloaded: nothing; unchanged: ");
  }

  @Test
  void ask_somethingWrong_changesNothing_andNamesEverything() {
    given.put("logging.level", "debug");
    given.put("relay.timeout", "soon");
    given.put("no.such.key", "1");
    given.put("admin-key-file", folder.resolve("none").toString());

    reload.ask();

    assertThat(followed).isEmpty();
    assertThat(shown).isEmpty();
    assertThat(lines.all)
        .contains("SEVERE not reloaded, everything stays as it is; problems: 3")
        .anyMatch(line -> line.startsWith("SEVERE not reloaded: relay.timeout: cannot read"))
        .anyMatch(line -> line.startsWith("SEVERE not reloaded: no.such.key: no such setting"))
        .anyMatch(line -> line.startsWith("SEVERE not reloaded: admin-key-file: "));
    assertThat(metrics())
        .contains(
            "gilmok_reloads_total{result=\"ok\"} 0", "gilmok_reloads_total{result=\"refused\"} 1");

    given.keySet().removeAll(List.of("relay.timeout", "no.such.key", "admin-key-file"));
    reload.ask();

    assertThat(shown.getLast().level()).isEqualTo(LoggingConfig.Gravity.DEBUG);
  }

  /**
   * Both values are right by themselves. But a new lease applies at the next start only, and until
   * then the old one is too short for the new timeout.
   */
  @Test
  void ask_newAndOldDoNotGoTogether_changesNothing() {
    given.put("relay.timeout", "50 s");
    given.put("relay.lease", "10 min");

    reload.ask();

    assertThat(followed).isEmpty();
    assertThat(lines.all)
        .anyMatch(
            line ->
                line.startsWith("SEVERE not reloaded: relay.lease: must be at least three times")
                    && line.contains("as these change only then: relay.lease"));
  }

  @Test
  void ask_tlsWhereThereWasNone_waitsForTheStart() {
    given.put("tls.certificate", "a.pem");
    given.put("tls.key", "b.pem");

    reload.ask();

    assertThat(followed.getLast().of(HttpConfig.class).tls()).isNull();
    assertThat(lines.all.getLast()).endsWith("next start: tls.certificate, tls.key");
  }

  @Test
  void ask_aSecretMovedIntoAFile_isNoChange_andAnotherOneIs() throws IOException {
    Path file = Files.writeString(folder.resolve("secret"), "a-secret-of-links\n");
    given.put("track.secret", "a-secret-of-links");
    reload.ask();
    assertThat(lines.all.getLast()).endsWith("next start: track.secret");
    given.remove("track.secret");
    given.put("track.secret-file", file.toString());
    reload.ask();

    assertThat(lines.all.getLast()).endsWith("next start: track.secret");
    assertThat(lines.all).noneMatch(line -> line.contains("a-secret-of-links"));
  }

  @Test
  void ask_whileOneIsUnderWay_isOneMoreAfterIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> read = new CopyOnWriteArrayList<>();
    meters.close();
    meters = new Meters();
    begin(
        () -> {
          read.add("read");
          begun.countDown();
          awaitQuietly(goOn);
          return new Settings(given);
        });
    Thread first = Thread.ofVirtual().start(reload::ask);
    begun.await();
    for (int i = 0; i < 10; i++) {
      reload.ask();
    }
    goOn.countDown();
    first.join();

    assertThat(read).hasSize(2);
    assertThat(followed).hasSize(2);
  }

  @Test
  void ask_aBug_endsNothing() throws Exception {
    meters.close();
    meters = new Meters();
    begin(
        () -> {
          throw new NoClassDefFoundError("told to fail");
        });

    reload.ask();
    reload.ask();

    assertThat(metrics()).contains("gilmok_reloads_total{result=\"refused\"} 2");
  }

  @Test
  void ask_afterTheEnd_isIgnored() {
    given.put("logging.level", "debug");

    reload.end();
    reload.ask();

    assertThat(followed).isEmpty();
    assertThat(lines.all).isEmpty();
  }

  @Test
  void changed_tuning_keepsWhatWasTunedByHand() {
    Tuning from = new Tuning(300, 4096, Duration.ofMillis(100), 8);
    Tuning byHand = new Tuning(10, 4096, Duration.ofMillis(100), 2);
    Tuning to = new Tuning(300, 8192, Duration.ofMillis(200), 4);

    assertThat(byHand.changed(from, to)).isEqualTo(new Tuning(10, 8192, Duration.ofMillis(200), 4));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new InvalidSettings(List.of("interrupted"));
    }
  }

  private String metrics() {
    return new String(meters.scrape(), StandardCharsets.UTF_8).replace(".0\n", "\n");
  }
}
