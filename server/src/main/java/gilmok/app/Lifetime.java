package gilmok.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A server's life, from its start to its exit code. */
final class Lifetime {
  private static final Logger LOGGER = System.getLogger("gilmok");
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int HURRIED = 130;

  private Lifetime() {}

  /** How long a server stays. */
  enum Stay {
    /** Until a signal or a failure. */
    UNTIL_TOLD,
    /** Until it is ready: its settings, its start and its warm-up are tried, and nothing more. */
    UNTIL_READY
  }

  /** Starts, stays, and stops in order; the guest leaves first. */
  static int live(ServerConfig config, Map<String, String> effective, Guest guest, Stay stay)
      throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    AtomicInteger exit = new AtomicInteger(DONE);
    try {
      effective.forEach((key, value) -> LOGGER.log(Level.INFO, "{0} = {1}", key, value));
      AtomicReference<@Nullable Server> started = new AtomicReference<>();
      Signals.hear(
          () -> {
            if (stop.getCount() == 0) {
              Runtime.getRuntime().halt(HURRIED);
            }
            stop.countDown();
            Server running = started.get();
            if (running != null) {
              running.hurry();
            }
          });
      Server server =
          start(
              config,
              failure -> {
                try {
                  LOGGER.log(Level.ERROR, "the log failed for good; stopping", failure);
                } finally { // said or not, as memory may be short: the process is to end
                  exit.set(FAILED);
                  stop.countDown();
                }
                Server running = started.get();
                if (running != null) {
                  running.hurry();
                }
              });
      introduce(server, config);
      started.set(server);
      if (config.warmUp().isOn()) {
        System.out.println("Warming up, for some seconds… (--no-warmup: ready at once, and slow)");
        System.out.flush();
      }
      if (warmUp(server, stop)) {
        guest.arrive(server.port(), server.adminKeyFile());
        if (stay == Stay.UNTIL_TOLD) {
          stop.await();
        }
        guest.leave();
      }
      if (exit.get() == DONE) {
        LOGGER.log(Level.INFO, "stopping; a second signal ends at once");
        server.stop();
        LOGGER.log(Level.INFO, "stopped");
      }
    } catch (IOException unusable) {
      System.err.println("gilmok: " + StartFailure.line(unusable, config.data()));
      return FAILED;
    }
    return exit.get();
  }

  private static Server start(ServerConfig config, Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    try {
      return Server.start(config, onLogFailure);
    } catch (UncheckedIOException unusable) {
      throw unusable.getCause();
    } catch (RuntimeException | Error bug) {
      // An error, too: threads that were started by then would keep half a server alive for ever.
      throw new IOException(StartFailure.line(bug), bug);
    }
  }

  private static void introduce(Server server, ServerConfig config) {
    StartLine start = StartLine.ofThisProcess();
    LOGGER.log(Level.INFO, start.line(server.node().toString()));
    start.warnings().forEach(warning -> LOGGER.log(Level.WARNING, warning));
    String risk = config.http().risk();
    if (risk != null) {
      LOGGER.log(Level.WARNING, risk);
    }
  }

  /** False when it is to stop before it is warm. */
  private static boolean warmUp(Server server, CountDownLatch stop) {
    try {
      if (stop.getCount() > 0) {
        server.warmUp();
      }
      return stop.getCount() > 0;
    } catch (InterruptedException stopping) {
      return false; // the signal's doing; nobody else interrupts this thread
    } finally {
      // It may have come when the warm-up was just over; the way out must not be cut short by it.
      boolean _ = Thread.interrupted();
    }
  }

  /** Where a browser on this machine finds it. */
  private static String shown(ServerConfig config) {
    String host = config.http().host();
    return switch (host) {
      case "0.0.0.0", "::" -> "127.0.0.1";
      default -> host.contains(":") ? "[" + host + "]" : host;
    };
  }

  /** The guest of a server that was started by itself: says where it is. */
  static Guest greeting(ServerConfig config) {
    return (port, adminKeyFile) -> {
      String scheme = config.http().certificate() == null ? "http" : "https";
      System.out.println("Gilmok is ready: " + scheme + "://" + shown(config) + ":" + port);
      if (adminKeyFile != null) {
        System.out.println("The admin key is in " + adminKeyFile);
      } else if (config.auth().adminKey() != null) {
        System.out.println("The admin key is the one in GILMOK_ADMIN_KEY.");
      } else {
        System.out.println("An admin key was made before; \"gilmok keys list\" shows all keys.");
      }
      System.out.flush();
    };
  }
}
