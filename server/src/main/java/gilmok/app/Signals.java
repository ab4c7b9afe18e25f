package gilmok.app;

import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Hears SIGTERM and SIGINT. The JVM's own way, shutdown hooks, can neither exit with 0 nor hear a
 * second signal. {@code sun.misc.Signal} can; it is reached by name because javac warns of it in a
 * way that nothing switches off.
 */
final class Signals {
  private Signals() {}

  /** Calls back on a thread of the JVM's for each of these signals, every time. */
  static void hear(Runnable heard) {
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
      for (String name : List.of("TERM", "INT")) {
        signal
            .getMethod("handle", signal, handler)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
      }
    } catch (ReflectiveOperationException missing) {
      Runtime.getRuntime().addShutdownHook(new Thread(heard, "stop"));
    }
  }
}
