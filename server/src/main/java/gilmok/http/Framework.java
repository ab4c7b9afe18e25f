package gilmok.http;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What Vert.x and Netty read once, when their classes load. Each can be given on the command line
 * in place of this. No state but the system's properties.
 */
final class Framework {
  private static final int MACHINE_ID_BYTES = 8;

  private Framework() {}

  /** Says what nobody here uses; before anything else of theirs is called. */
  static void lighten() {
    // No route of ours uses these, and every request would pay for them.
    lay("vertx.disableWebsockets", "true");
    lay("vertx.disableContextTimings", "true");
    lay("vertx.disableMetrics", "true");
    // The first buffer would start the JDK's flight recorder for them, on an event loop: 0.1 s.
    lay("io.netty.jfr.enabled", "false");
    // In channels' long ids, which nobody reads; else method handles are made and every network
    // interface is asked for its address.
    lay("io.netty.processId", Long.toString(ProcessHandle.current().pid()));
    byte[] machine = new byte[MACHINE_ID_BYTES];
    ThreadLocalRandom.current().nextBytes(machine);
    lay("io.netty.machineId", HexFormat.ofDelimiter(":").formatHex(machine));
  }

  private static void lay(String property, String value) {
    System.getProperties().putIfAbsent(property, value);
  }
}
