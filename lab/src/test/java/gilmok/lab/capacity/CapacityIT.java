package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.options.Span;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The whole command, for seconds, with goals that any machine keeps. */
@Tag("process")
class CapacityIT {
  private static final Path JAR = Path.of("../server/target/gilmok-all.jar");

  @TempDir private Path out;
  @TempDir private Path work;

  @ParameterizedTest
  @ValueSource(strings = {"collect", "day"})
  void search_ofSeconds_findsARate_andSettlesTheAccount(String scenario) throws Exception {
    CapacityReport report = report(scenario, "--server-jar", JAR.toString());

    assertThat(report.account().stored()).isEqualTo(report.account().acknowledged());
  }

  @Test
  void aServerThatRuns_isLoaded_andRunsOn() throws Exception {
    Servers servers = new Servers(JAR, work);
    try (Subject gilmok = servers.gilmok("512m", List.of())) {
      String url = "http://127.0.0.1:" + gilmok.port();
      CapacityReport report = report("collect", "--url", url, "--key", Servers.KEY);

      assertThat(report.environment().facts()).containsKey("server");
      gilmok.awaitAnswer("/health/ready", status -> status == 200, Duration.ofSeconds(20));
    }
  }

  private CapacityReport report(String scenario, String... target) throws Exception {
    CommandLine line =
        new CommandLine(new CapacityCommand()).registerConverter(Span.class, Span::read);
    List<String> arguments = new ArrayList<>(List.of("--scenario", scenario));
    arguments.addAll(List.of("--p99", "20000", "--connections", "64", "--from", "20"));
    arguments.addAll(List.of("--most", "100", "--riders", "500", "--step", "1"));
    arguments.addAll(List.of("--warmup", "1", "--repeats", "1", "--hold", "2s"));
    arguments.addAll(List.of("--out", out.toString()));
    arguments.addAll(List.of(target));
    int code = line.execute(arguments.toArray(String[]::new));

    List<Path> files;
    try (Stream<Path> all = Files.list(out)) {
      files = all.sorted().toList();
    }
    assertThat(files).hasSize(2);
    assertThat(Files.readString(files.getFirst())).contains("What ends it");
    CapacityReport report = CapacityReport.read(Files.readString(files.getLast()));
    assertThat(code).as(CapacityText.of(report)).isBetween(0, 1);
    assertThat(report.limit().units()).isPositive();
    assertThat(report.account().acknowledged()).isPositive();
    assertThat(report.account().missing()).isZero();
    assertThat(report.account().stored()).isGreaterThanOrEqualTo(report.account().acknowledged());
    assertThat(report.account().residue()).isZero();
    assertThat(report.overloads()).hasSize(2);
    assertThat(report.steps()).allMatch(step -> !step.what().isEmpty());
    assertThat(report.series().get("seconds")).hasSizeGreaterThan(5);
    assertThat(report.environment().facts()).containsKeys("machine", "kernel", "server", "command");
    return report;
  }
}
