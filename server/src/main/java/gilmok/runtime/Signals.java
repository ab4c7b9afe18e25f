package gilmok.runtime;

import gilmok.background.BackgroundThread;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a process is told by signals: to stop (SIGTERM, SIGINT), and to read its settings again
 * (SIGHUP). They are heard from the process's first moment on; a reload that is asked for before
 * there is a server is kept for it. Thread-safe.
 *
 * <p>The JVM's own way, shutdown hooks, can neither exit with 0 nor hear a second signal, and knows
 * no signal that does not end the process. {@code sun.misc.Signal} does; it is reached by name
 * because javac warns of it in a way that nothing switches off. It calls back on a thread of its
 * own for each signal.
 */
public final class Signals {
  private static final List<String> STOPPING = List.of("TERM", "INT");
  private static final String RELOADING = "HUP";
  private static final int DONE = 0;

  private final Mailbox stops = new Mailbox();
  private final Mailbox reloads = new Mailbox();

  /** Signals of one kind: handed on, or kept until there is somebody to hand them to. */
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
   * Hears from now on. The first thing that a process does which is to outlive SIGHUP. Until
   * somebody stops it in order, nothing is open that had to be closed, and it ends at once.
   */
  public void hear() {
    stops.read(() -> Runtime.getRuntime().exit(DONE));
    STOPPING.forEach(name -> handle(name, stops::put, Signals::atTheEnd));
    // Nobody hears it where Java was told to leave signals alone; it ends the process there.
    handle(RELOADING, reloads::put, _ -> {});
  }

  /** Told to stop: calls back each time. */
  public void onStop(Runnable heard) {
    stops.read(heard);
  }

  /** Told to read the settings again: calls back each time, also if that was before. */
  public void onReload(Runnable heard) {
    reloads.read(heard);
  }

  /** Calls back for each signal that is to stop the process, every time. */
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
