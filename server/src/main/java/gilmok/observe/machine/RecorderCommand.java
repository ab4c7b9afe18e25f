package gilmok.observe.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Commands to Java's flight recorder, as {@code jcmd} sends them: for what its API in Java lacks.
 */
final class RecorderCommand {
  private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

  private RecorderCommand() {}

  /**
   * Runs a command in this process.
   *
   * @throws IOException when this JVM does not take it
   */
  static void run(String operation, String... arguments) throws IOException {
    try {
      Object _ =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName(COMMANDS),
                  operation,
                  new Object[] {arguments},
                  new String[] {String[].class.getName()});
    } catch (JMException refused) {
      throw new IOException("this JVM does not take " + operation, refused);
    }
  }
}
