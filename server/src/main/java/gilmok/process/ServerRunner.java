package gilmok.process;

import gilmok.app.Server;
import gilmok.app.ServerConfig;
import gilmok.cli.CommandFailure;
import gilmok.cli.ProgressLine;
import gilmok.cli.Terminal;
import gilmok.config.InvalidSettings;
import gilmok.http.HttpConfig;
import gilmok.privacy.PrivacyConfig;
import gilmok.warmup.WarmUpConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a server from its start to its exit code. Signals and a failed log end it, on threads of
 * their own; everything else happens on the thread that calls {@link #live}.
 */
final class ServerRunner {
  private static final Logger LOGGER = System.getLogger("gilmok");
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int HURRIED = 130;

  /** How long a start that is interrupted may take to close what it has opened. */
  private static final Duration CLOSING_MAX = Duration.ofSeconds(5);

  private final Launch launch;
  private final Thread living = Thread.currentThread();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch startOver = new CountDownLatch(1);
  private @Nullable Server running;
  private boolean isStopped;
  private boolean isArriving;
  private int exit = DONE;

  ServerRunner(Launch launch) {
    this.launch = launch;
  }

  /**
   * Starts the server, runs it, and stops it in order; the extension leaves first.
   *
   * @param isTrial whether to stop as soon as the server is ready, to try its settings, its start
   *     and its warm-up; otherwise it runs until a signal or a failure
   * @return the exit code
   * @throws CommandFailure when it cannot start, saying why
   */
  int live(ServerExtension serverExtension, boolean isTrial) throws InterruptedException {
    ServerConfig config = launch.config();
    launch.signals().onStop(this::told);
    launch
        .settings()
        .changed()
        .forEach((key, value) -> LOGGER.log(Level.INFO, "{0} = {1}", key, value));
    try {
      Server server = started();
      if (server == null) {
        LOGGER.log(Level.INFO, "stopped");
        return exit();
      }
      introduce(server, config);
      launch.logging().show(server.adjustables().meters());
      serverExtension.listening(server.port(), server.facts().keys().adminFile());
      Reload reload =
          new Reload(
              launch.settings(),
              config,
              launch.reader(),
              server.adjustables(),
              wanted -> wanted.applyTo(launch.logging()),
              InstantSource.system());
      launch.signals().onReload(reload::ask);
      if (warmUp(server, config.of(WarmUpConfig.class))) {
        arrive(serverExtension, server);
        if (!isTrial) {
          stop.await();
        }
        serverExtension.leave();
      }
      reload.end();
      if (exit() == DONE) {
        LOGGER.log(Level.INFO, "stopping; a second signal ends at once");
        server.stop();
        LOGGER.log(Level.INFO, "stopped");
      }
    } catch (IOException unusable) {
      // Printed when the log has ended, so that it is the last line.
      throw new CommandFailure(StartFailure.line(unusable, config.data()));
    }
    return exit();
  }

  /** Lets the extension arrive, unless it is told to stop meanwhile: it may wait for the server. */
  private void arrive(ServerExtension serverExtension, Server server) throws IOException {
    synchronized (this) {
      isArriving = !isStopped;
    }
    try {
      if (!isStopped()) {
        serverExtension.arrive(server.port(), server.facts().keys().adminFile());
      }
    } catch (IOException | InterruptedException failed) {
      if (failed instanceof IOException unusable && !isStopped()) {
        throw unusable;
      }
      LOGGER.log(Level.DEBUG, "told to stop while the extension arrived", failed);
    } finally {
      synchronized (this) {
        isArriving = false;
        // The interrupt may have come just after it arrived; it must not disturb the shutdown.
        boolean _ = Thread.interrupted();
      }
    }
  }

  /**
   * Handles a signal: it interrupts the start or stops the server; a second signal ends the process
   * at once.
   */
  private void told() {
    boolean isStarting;
    synchronized (this) {
      if (stop.getCount() == 0) {
        Runtime.getRuntime().halt(HURRIED);
      }
      isStopped = true;
      stop.countDown();
      isStarting = running == null && startOver.getCount() > 0;
      if (isStarting) {
        LOGGER.log(Level.INFO, "stopping before the start is over; a second signal ends at once");
        living.interrupt();
      } else if (running != null) {
        running.hurry();
        if (isArriving) {
          living.interrupt();
        }
      }
    }
    if (isStarting) {
      endAnyway();
    }
  }

  /**
   * Ends the process if an operation ignores the interrupt, such as a read from a hung disk. This
   * is safe: a server that has not started has acknowledged nothing.
   */
  private void endAnyway() {
    try {
      if (!startOver.await(CLOSING_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        LOGGER.log(
            Level.WARNING,
            "the start did not stop within {0}: ended as by a kill; nothing is lost",
            CLOSING_MAX);
        launch.logging().close();
        Runtime.getRuntime().halt(DONE);
      }
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
  }

  /** Handles a log that has failed for good. */
  private void failed(Throwable failure) {
    synchronized (this) {
      if (isStopped && running == null) {
        return; // the start was interrupted, and its files were closed with it
      }
    }
    try {
      LOGGER.log(
          Level.ERROR,
          "the log failed and accepts nothing more; the server stops. Acknowledged records are on"
              + " disk. Check the disk, then start again",
          failure);
    } finally { // even if memory is short, the process has to end
      synchronized (this) {
        exit = FAILED;
        stop.countDown();
        if (running != null) {
          running.hurry();
        }
      }
    }
  }

  private synchronized int exit() {
    return exit;
  }

  /** Starts the server; null if a signal stopped the start, and everything is closed again. */
  private @Nullable Server started() throws IOException {
    Server server = null;
    try {
      server = Server.start(launch.config(), this::failed);
    } catch (IOException | InterruptedException | RuntimeException | Error failure) {
      if (!isStopped()) {
        switch (failure) {
          case UncheckedIOException unusable -> throw unusable.getCause();
          case IOException unusable -> throw unusable;
          case InvalidSettings seenLate -> throw seenLate;
          // Errors are included: threads that have started would keep half a server alive.
          default -> throw new IOException(StartFailure.line(failure), failure);
        }
      }
      // The interrupt caused this failure, or the failure no longer matters.
      LOGGER.log(Level.DEBUG, "the start was given up", failure);
    } finally {
      startIsOver(server);
    }
    return server;
  }

  private synchronized void startIsOver(@Nullable Server server) {
    running = server;
    startOver.countDown();
    // The interrupt may have come just after the start; it must not disturb the shutdown.
    boolean _ = Thread.interrupted();
    if (isStopped && server != null) {
      server.hurry();
    }
  }

  private synchronized boolean isStopped() {
    return isStopped;
  }

  private static void introduce(Server server, ServerConfig config) {
    StartLine start = StartLine.ofThisProcess();
    LOGGER.log(Level.INFO, start.line(server.facts().node().toString()));
    start.warnings().forEach(warning -> LOGGER.log(Level.WARNING, warning));
    Stream.of(config.of(HttpConfig.class).risk(), config.of(PrivacyConfig.class).risk())
        .filter(Objects::nonNull)
        .forEach(risk -> LOGGER.log(Level.WARNING, risk));
  }

  /** Warms up the server; false if it was told to stop meanwhile. */
  private boolean warmUp(Server server, WarmUpConfig config) {
    if (config.isOn() && !Terminal.isThere()) {
      System.out.println("Warming up for some seconds… (--no-warmup: ready at once, but slow)");
      System.out.flush();
    }
    // Without a warm-up it has nothing to say.
    Supplier<String> line = () -> config.isOn() ? server.warmUpReport().line() : "";
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    try (ProgressLine _ = new ProgressLine(err, line)) {
      if (stop.getCount() > 0) {
        server.warmUp();
      }
      return stop.getCount() > 0;
    } catch (InterruptedException stopping) {
      return false; // only the signal handler interrupts this thread
    } finally {
      // The interrupt may have come just after the warm-up; it must not disturb the shutdown.
      boolean _ = Thread.interrupted();
    }
  }

  /** The extension of a server that runs alone: it prints where everything is. */
  static ServerExtension greeting(ServerConfig config) {
    return new StartNotice(config, System.out);
  }
}
