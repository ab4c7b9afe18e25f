package gilmok.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs small programs of the system to their end. Thread-safe; blocks. */
public final class Shell {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Shell() {}

  /** The output and the exit status of a program. */
  public record Outcome(int status, String text) {}

  /** Runs a program, whatever its exit status. */
  public static Outcome run(List<String> command) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    int status = run(builder, PATIENCE, lines::add);
    return new Outcome(status, String.join("\n", lines).strip());
  }

  /**
   * Runs a program, and kills it when it takes too long.
   *
   * @param taker receives each line that it prints
   * @return its exit status
   */
  public static int run(ProcessBuilder builder, Duration atMost, Consumer<String> taker)
      throws IOException, InterruptedException {
    Process process = builder.start();
    process.getOutputStream().close();
    Thread watch =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    if (!process.waitFor(atMost)) {
                      process.destroyForcibly();
                    }
                  } catch (InterruptedException ended) {
                    process.destroyForcibly();
                  }
                });
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(taker);
    }
    int status = process.waitFor();
    watch.join();
    return status;
  }

  /**
   * Runs a program that must succeed.
   *
   * @throws IOException when it fails
   */
  public static String must(String... command) throws IOException, InterruptedException {
    Outcome outcome = run(List.of(command));
    if (outcome.status != 0) {
      throw new IOException(String.join(" ", command) + ": " + outcome.text);
    }
    return outcome.text;
  }

  /** Whether a program is installed. */
  public static boolean has(String program) {
    try {
      return run(List.of("sh", "-c", "command -v " + program)).status == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
