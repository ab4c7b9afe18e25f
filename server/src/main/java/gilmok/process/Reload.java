package gilmok.process;

import gilmok.app.Adjustables;
import gilmok.app.ServerConfig;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.config.SettingsReader;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.runtime.LoggingConfig;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Reads the settings again and applies the changes that are possible in a running server ({@link
 * Reloadable}). It names the other changes, which take effect at the next start. Settings with
 * which a server would not start change nothing. The server keeps running in any case.
 *
 * <p>Reloads run one at a time, on the thread of the signal; requests that arrive meanwhile cause
 * one more reload. Thread-safe.
 */
final class Reload {
  private static final Logger LOG = System.getLogger("gilmok");

  private final SettingsReader reader;
  private final Adjustables server;
  private final Consumer<LoggingConfig> logging;
  private final Counter applied;
  private final Counter refused;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean isOver;

  /** The settings in force: those of the start, with the changes reloaded since. */
  private Map<String, String> inForce;

  private ServerConfig config;
  private final InstantSource clock;
  private volatile int pending;
  private volatile Instant changed;

  /**
   * The reloads of a server that has started.
   *
   * @param started the settings that it started with
   * @param config the parsed settings
   * @param reader reads the settings again
   * @param logging applies logging settings to the process
   */
  Reload(
      Settings started,
      ServerConfig config,
      SettingsReader reader,
      Adjustables server,
      Consumer<LoggingConfig> logging,
      InstantSource clock) {
    this.reader = reader;
    this.server = server;
    this.logging = logging;
    this.config = config;
    this.clock = clock;
    changed = clock.instant();
    inForce = started.values();
    Meters meters = server.meters();
    applied = counter(meters, "ok");
    refused = counter(meters, "refused");
    meters.gauge(
        "gilmok_reload_pending_settings",
        "Settings that were changed and take effect at the next start.",
        () -> pending);
    meters.gauge(
        "gilmok_settings_changed_timestamp_seconds",
        "When the settings in force last changed: the start, or a reload.",
        () -> changed.toEpochMilli() / 1e3);
  }

  private static Counter counter(Meters meters, String result) {
    return meters.counter("gilmok_reloads_total", "Reloads of settings.", "result", result);
  }

  /**
   * Reloads the settings, unless the server is stopping; returns when there are no more requests.
   */
  void ask() {
    if (asked.getAndIncrement() > 0) {
      return; // the thread that is reloading sees this request
    }
    int seen;
    do {
      seen = asked.get();
      if (!isOver) {
        run();
      }
    } while (!asked.compareAndSet(seen, 0));
  }

  /** Allows no further reloads, as the server is stopping. One that is running may still finish. */
  void end() {
    isOver = true;
  }

  private void run() {
    try {
      take(reader.read());
      applied.increment();
    } catch (InvalidSettings invalid) {
      refuse(invalid.problems());
    } catch (IOException unusable) {
      refuse(List.of(StartFailure.line(unusable, config.data())));
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      refuse(List.of("it was interrupted"));
    } catch (RuntimeException | Error bug) {
      LOG.log(Level.ERROR, "a bug in reloading the settings", bug);
      refuse(List.of(bug.toString()));
    }
  }

  private void refuse(List<String> problems) {
    refused.increment();
    LOG.log(Level.ERROR, "not reloaded, everything stays as it is; problems: {0}", problems.size());
    problems.forEach(problem -> LOG.log(Level.ERROR, "not reloaded: {0}", problem));
  }

  /** Applies all changes or none: whatever can fail is tried before anything is changed. */
  private void take(Settings read) throws IOException, InterruptedException {
    server.check(ServerConfig.from(read));
    Map<String, String> wanted = read.values();
    Map<String, String> next = new TreeMap<>(inForce);
    List<String> taken = new ArrayList<>();
    List<String> waiting = new ArrayList<>();
    Set<String> keys = new TreeSet<>(inForce.keySet());
    keys.addAll(wanted.keySet());
    for (String key : keys) {
      String now = inForce.get(key);
      String then = wanted.get(key);
      if (now != null && now.equals(then)) {
        continue;
      }
      if (then != null && Reloadable.has(key, inForce, wanted)) {
        next.put(key, then);
        taken.add(key);
      } else {
        waiting.add(key);
      }
    }
    ServerConfig mixed = mixed(next, waiting);
    if (server.adjust(config, mixed)) {
      Set<String> shown = new TreeSet<>(taken);
      shown.add("tls.certificate");
      taken = List.copyOf(shown);
    }
    boolean isFiner =
        mixed.of(LoggingConfig.class).level().compareTo(config.of(LoggingConfig.class).level()) > 0;
    if (isFiner) {
      logging.accept(mixed.of(LoggingConfig.class));
    }
    say(read, wanted, taken, waiting, keys.size());
    if (!isFiner) { // the messages were still logged at the old level
      logging.accept(mixed.of(LoggingConfig.class));
    }
    config = mixed;
    inForce = next;
    changed = taken.isEmpty() ? changed : clock.instant();
    pending = waiting.size();
  }

  /**
   * The config that would be in force: the reloaded settings with the old values of those that
   * wait.
   *
   * @throws InvalidSettings when these do not fit together; it names the settings that wait
   */
  private static ServerConfig mixed(Map<String, String> next, List<String> waiting) {
    try {
      return ServerConfig.from(new Settings(next));
    } catch (InvalidSettings apart) {
      List<String> problems = new ArrayList<>();
      for (String problem : apart.problems()) {
        problems.add(
            problem
                + " (until the next start, as these change only then: "
                + String.join(", ", waiting)
                + ")");
      }
      throw new InvalidSettings(problems);
    }
  }

  private void say(
      Settings read,
      Map<String, String> wanted,
      List<String> taken,
      List<String> waiting,
      int keys) {
    for (String key : waiting) {
      LOG.log(
          Level.WARNING,
          "{0} changed from {1} to {2}: takes effect at the next start",
          key,
          read.shown(key, inForce.get(key)),
          read.shown(key, wanted.get(key)));
    }
    for (String key : taken) {
      String before = read.shown(key, inForce.get(key));
      String now = read.shown(key, wanted.get(key));
      String how = before.equals(now) ? "what it names has changed" : "was " + before;
      LOG.log(Level.INFO, "{0} = {1}; {2}", key, now, how);
    }
    LOG.log(
        Level.INFO,
        "reloaded: {0}; unchanged: {1}; next start: {2}",
        listed(taken),
        keys - taken.size() - waiting.size(),
        listed(waiting));
  }

  private static String listed(List<String> keys) {
    return keys.isEmpty() ? "nothing" : String.join(", ", keys);
  }
}
