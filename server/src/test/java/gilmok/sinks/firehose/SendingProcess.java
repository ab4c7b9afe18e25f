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
 * Sinks in a process of their own, because most of the SDK's settings belong to the process: its
 * environment and home directory. Nothing of the tests' own environment is kept but PATH.
 */
final class SendingProcess {
  /** Ends the keys and values of one sink. */
  private static final String NEXT = "--";

  private SendingProcess() {}

  /** Sends one position by each sink and prints the verdict. */
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
   * The lines that the process printed: a verdict for each sink, and any other output.
   *
   * @param home the directory that contains {@code .aws}
   * @param sinks the keys and values of each sink
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
    // Instance metadata has a fixed address outside loopback, which a test cannot serve.
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
