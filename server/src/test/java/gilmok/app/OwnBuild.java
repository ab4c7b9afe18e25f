package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Examples and clients that are builds of their own: built by Maven, and run. */
final class OwnBuild {
  private static final int MINUTES_MOST = 8;

  private OwnBuild() {}

  /** Builds a project, with its tests; shows what Maven says if that fails. */
  static void maven(Path project) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("mvn", "-q", "-B", "-ntp", "-f", project.toString(), "package")
            .redirectErrorStream(true);
    builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    Process maven = builder.start();
    String said = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(maven.waitFor(MINUTES_MOST, TimeUnit.MINUTES)).isTrue();
    assertThat(maven.exitValue()).as(said).isZero();
  }

  /** Starts a program of such a build by this JDK; its output goes into the folder. */
  static Process java(Path folder, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("own-build.log").toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }
}
