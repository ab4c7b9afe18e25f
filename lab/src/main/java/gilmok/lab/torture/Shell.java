package gilmok.lab.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Small programs of the system, run to their end. From any thread; blocks. */
final class Shell {
  private static final int SECONDS_MAX = 60;

  private Shell() {}

  /** What one said, and how it ended. */
  record Outcome(int status, String text) {}

  /** Runs one, whatever comes of it. */
  static Outcome run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    Thread watch =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                      process.destroyForcibly();
                    }
                  } catch (InterruptedException ended) {
                    process.destroyForcibly();
                  }
                });
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    watch.join();
    return new Outcome(status, text.strip());
  }

  /**
   * Runs one that has to succeed.
   *
   * @throws IOException when it does not
   */
  static String must(String... command) throws IOException, InterruptedException {
    Outcome outcome = run(List.of(command));
    if (outcome.status != 0) {
      throw new IOException(String.join(" ", command) + ": " + outcome.text);
    }
    return outcome.text;
  }

  /** Whether a program is there. */
  static boolean has(String program) {
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
