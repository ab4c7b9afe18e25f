package gilmok.sinks.firehose;

import gilmok.observe.Meters;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sinks in a process of their own, as most of what the SDK goes by is the process's: its
 * environment and the home in it. Nothing of the tests' own environment is left.
 */
final class SendingProcess {
  /** Begins the keys and values of another sink. */
  private static final String NEXT = "--";

  private SendingProcess() {}

  /** Sends a position by each of the sinks and prints what became of it. */
  public static void main(String[] arguments) throws InterruptedException {
    List<String> told = new ArrayList<>();
    for (String argument : arguments) {
      if (!argument.equals(NEXT)) {
        told.add(argument);
        continue;
      }
      try (Meters meters = new Meters();
          FirehoseSink sink =
              new FirehoseSink(
                  Told.config(told.toArray(String[]::new)),
                  "firehose",
                  NodeId.parse("abcdefghijkl"),
                  meters)) {
        System.out.println(sink.send(Batches.positions(1)));
      }
      told.clear();
    }
  }

  /**
   * What became of it, a line for each sink, and whatever else was written.
   *
   * @param home where {@code .aws} is
   * @param sinks keys and values of each
   */
  static List<String> send(Path home, Map<String, String> environment, List<List<String>> sinks)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED",
                SendingProcess.class.getName()));
    for (List<String> sink : sinks) {
      command.addAll(sink);
      command.add(NEXT);
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    String path = System.getenv("PATH");
    builder.environment().clear();
    builder.environment().put("PATH", path);
    builder.environment().put("HOME", home.toString());
    // It has no address of loopback to be asked at.
    builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(said);
    }
    return said.lines().toList();
  }
}
