package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A tool of the tier {@code contract}, which its script in {@code .ci} installs. Not thread-safe:
 * its output is in one file.
 */
final class ContractTool {
  private static final int MINUTES_MOST = 5;

  private final String script;
  private final Path folder;

  /**
   * Installs it if need be. Where it cannot be had, the test fails in CI and is left out elsewhere.
   *
   * @param script its name, as in {@code contract-node}
   * @param folder what the tool runs in and where its output goes
   */
  ContractTool(String script, Path folder) throws IOException, InterruptedException {
    this.script = Repository.root().resolve(".ci/" + script).toString();
    this.folder = folder;
    Output made = start(List.of(this.script));
    Assumptions.assumeTrue(
        made.status == 0 || System.getenv("CI") != null, () -> "left out: " + made.text);
    assertThat(made.status).as(made.text).isZero();
  }

  private record Output(int status, String text) {}

  /** Runs a program of the tool's; returns its output, which is shown if it fails. */
  String run(String... program) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script));
    command.addAll(List.of(program));
    return succeed(command);
  }

  /** Runs a jar of the tool's, or one of its classes, by this JDK. */
  String java(List<Path> jars, String main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(jars),
                main));
    command.addAll(arguments);
    return succeed(command);
  }

  static String classPath(List<Path> jars) {
    return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
  }

  private String succeed(List<String> command) throws IOException, InterruptedException {
    Output output = start(command);
    assertThat(output.status).as("%s%n%s", String.join(" ", command), output.text).isZero();
    return output.text;
  }

  private Output start(List<String> command) throws IOException, InterruptedException {
    Path said = folder.resolve("said.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().put("REDOCLY_TELEMETRY", "off");
    builder.environment().put("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    builder.environment().put("PYTHONPATH", folder.toString());
    Process process = builder.start();
    boolean hasEnded = process.waitFor(MINUTES_MOST, TimeUnit.MINUTES);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    String text = Files.readString(said);
    assertThat(hasEnded).as("%s ended in time; it said %s", command, text).isTrue();
    return new Output(process.waitFor(), text);
  }
}
