package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs in a JVM of its own, as there is one logging for the whole process. */
@Tag("process")
class LoggingTest {
  /** A program that logs while it runs and while it stops. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      Logging logging = Logging.start(System.Logger.Level.DEBUG);
      System.Logger ours = System.getLogger("gilmok.program");
      System.Logger theirs = System.getLogger("io.library");
      Runtime.getRuntime()
          .addShutdownHook(
              Thread.ofPlatform()
                  .unstarted(
                      () -> {
                        ours.log(System.Logger.Level.WARNING, "stopping");
                        logging.close();
                      }));
      ours.log(System.Logger.Level.TRACE, "not this");
      ours.log(System.Logger.Level.DEBUG, "a detail");
      theirs.log(System.Logger.Level.DEBUG, "not theirs");
      theirs.log(System.Logger.Level.INFO, "theirs {0}", "too");
      logging.show(System.Logger.Level.WARNING, Logging.Format.TEXT);
      ours.log(System.Logger.Level.INFO, "not this any more");
      theirs.log(System.Logger.Level.INFO, "nor theirs");
    }
  }

  @Test
  @Timeout(30)
  void start_aProgram_logsUntilItsEnd() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> lines =
        new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();

    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(lines).as("%s", lines).hasSize(3);
    assertThat(lines.get(0)).endsWith("Z DEBUG gilmok.program a detail");
    assertThat(lines.get(1)).endsWith("Z INFO io.library theirs too");
    assertThat(lines.get(2)).endsWith("Z WARN gilmok.program stopping");
  }
}
