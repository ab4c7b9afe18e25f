package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.options.Span;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The whole command, for seconds, with goals that any machine keeps. */
@Tag("process")
class CapacityIT {
  private static final Path JAR = Path.of("../server/target/gilmok-all.jar");

  @TempDir private Path out;

  @ParameterizedTest
  @ValueSource(strings = {"collect", "day"})
  void search_ofSeconds_findsARate_andSettlesTheAccount(String scenario) throws Exception {
    CommandLine line =
        new CommandLine(new CapacityCommand()).registerConverter(Span.class, Span::read);
    int code =
        line.execute(
            "--scenario",
            scenario,
            "--server-jar",
            JAR.toString(),
            "--out",
            out.toString(),
            "--p99",
            "20000",
            "--connections",
            "64",
            "--from",
            "20",
            "--most",
            "100",
            "--riders",
            "500",
            "--step",
            "1",
            "--warmup",
            "1",
            "--repeats",
            "1",
            "--hold",
            "2s");

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
  }
}
