package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Logging;
import gilmok.observe.Meters;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Runs in a JVM of its own, because logging is configured for a whole process. */
@Tag("process")
class FirehoseLogTest {
  /** Sends to a port on which no server listens, and logs as the SDK does. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws InterruptedException {
      try (Logging _ = Logging.start(System.Logger.Level.INFO);
          Meters meters = new Meters();
          FirehoseSink sink =
              new FirehoseSink(
                  Told.config("endpoint", "http://127.0.0.1:1", "region", "ap-northeast-2"),
                  "firehose",
                  NodeId.parse("abcdefghijkl"),
                  meters)) {
        for (int i = 0; i < 3; i++) {
          System.getLogger("gilmok.program")
              .log(System.Logger.Level.INFO, sink.send(Batches.positions(1)).toString());
        }
        LoggerFactory.getLogger("software.amazon.awssdk").warn("a word of theirs");
        LoggerFactory.getLogger("software.amazon.awssdk").debug("a detail of theirs");
      }
    }
  }

  @Test
  @Timeout(60)
  void send_anOutage_leavesNothingInTheLogButWhatIsOurs() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Daws.accessKeyId=AKIDSHOWNNOWHERE",
                "-Daws.secretAccessKey=secret",
                "--enable-native-access=ALL-UNNAMED",
                Program.class.getName())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> lines =
        new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();

    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(lines).as("%s", lines).hasSize(4);
    assertThat(lines.subList(0, 3))
        .allMatch(line -> line.contains("INFO gilmok.program Retry[cause=UNREACHABLE"));
    assertThat(lines.getLast()).endsWith("Z WARN software.amazon.awssdk a word of theirs");
  }
}
