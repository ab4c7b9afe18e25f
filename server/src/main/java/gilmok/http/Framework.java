package gilmok.http;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sets the system properties that Vert.x and Netty read once, when their classes load. One that the
 * command line sets is left as it is. No state of its own.
 */
final class Framework {
  private static final int MACHINE_ID_BYTES = 8;

  private Framework() {}

  /** Turns off what this server does not use. Call before any other use of the framework. */
  static void lighten() {
    // No route uses these, yet every request would pay for them.
    lay("vertx.disableWebsockets", "true");
    lay("vertx.disableContextTimings", "true");
    lay("vertx.disableMetrics", "true");
    // Otherwise the first buffer would start the JDK's flight recorder on an event loop: 0.1 s.
    lay("io.netty.jfr.enabled", "false");
    // Only channels' long ids, which nobody reads, need it. Otherwise Netty makes method handles,
    // and reads the address of every network interface.
    lay("io.netty.processId", Long.toString(ProcessHandle.current().pid()));
    byte[] machine = new byte[MACHINE_ID_BYTES];
    ThreadLocalRandom.current().nextBytes(machine);
    lay("io.netty.machineId", HexFormat.ofDelimiter(":").formatHex(machine));
  }

  private static void lay(String property, String value) {
    System.getProperties().putIfAbsent(property, value);
  }
}
