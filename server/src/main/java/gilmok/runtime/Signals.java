package gilmok.runtime;

import gilmok.background.BackgroundThread;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The signals to this process: to stop (SIGTERM, SIGINT), and to read its settings again (SIGHUP).
 * They are handled from the process's first moment on; a reload before there is a server is kept
 * for it. Thread-safe.
 *
 * <p>The JVM's own shutdown hooks cannot exit with 0, cannot see a second signal, and handle no
 * signal that does not end the process. {@code sun.misc.Signal} can. It is used by reflection,
 * because javac's warning about it cannot be switched off. It calls back on a new thread for each
 * signal.
 */
public final class Signals {
  private static final List<String> STOPPING = List.of("TERM", "INT");
  private static final String RELOADING = "HUP";
  private static final int DONE = 0;

  private final Mailbox stops = new Mailbox();
  private final Mailbox reloads = new Mailbox();

  /** Signals of one kind: passed to their handler, or kept until there is one. */
  private static final class Mailbox {
    private @Nullable Runnable reader;
    private boolean isUnread;

    void put() {
      Runnable heard;
      synchronized (this) {
        heard = reader;
        isUnread |= heard == null;
      }
      if (heard != null) {
        heard.run();
      }
    }

    void read(Runnable by) {
      boolean isAsked;
      synchronized (this) {
        reader = by;
        isAsked = isUnread;
        isUnread = false;
      }
      if (isAsked) {
        BackgroundThread.startDaemon("signal", by);
      }
    }
  }

  /**
   * Starts to handle signals. Must be the first thing in a process that is to survive SIGHUP. Until
   * {@link #onStop} is called, a signal to stop ends the process at once, as nothing is open that
   * has to be closed.
   */
  public void hear() {
    stops.read(() -> Runtime.getRuntime().exit(DONE));
    STOPPING.forEach(name -> handle(name, stops::put, Signals::atTheEnd));
    // Where Java was told to leave signals alone, SIGHUP is not handled, and ends the process.
    handle(RELOADING, reloads::put, _ -> {});
  }

  /** Sets the handler for signals to stop; it is called for each of them. */
  public void onStop(Runnable heard) {
    stops.read(heard);
  }

  /**
   * Sets the handler for signals to reload; it is called for each of them, an earlier one included.
   */
  public void onReload(Runnable heard) {
    reloads.read(heard);
  }

  /** Calls the handler for each signal to stop the process. */
  public static void hear(Runnable stop) {
    STOPPING.forEach(name -> handle(name, stop, Signals::atTheEnd));
  }

  private static void handle(String name, Runnable heard, Consumer<Runnable> otherwise) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> {
                heard.run();
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException missing) {
      otherwise.accept(heard);
    }
  }

  private static void atTheEnd(Runnable heard) {
    Runtime.getRuntime().addShutdownHook(new Thread(heard, "stop"));
  }
}
