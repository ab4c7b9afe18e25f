package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Servers;
import gilmok.lab.report.Chapter;
import java.io.DataInputStream;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts the server's jar and sends requests. Checks that it was measured, not the values. */
@Tag("process")
class StartIT {
  private static final Path JAR = Path.of("../server/target/gilmok-all.jar");
  private static final List<String> OPTIONS =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  @TempDir private Path work;

  private final List<String> said = new ArrayList<>();

  private Starter starter() {
    assertThat(Files.exists(JAR)).as("%s: build with package or verify", JAR).isTrue();
    // Of the laboratory's jar only the class path is used.
    Starter.Setup setup =
        new Starter.Setup(
            JAR.toAbsolutePath().normalize(),
            Path.of(System.getProperty("java.class.path")),
            work,
            OPTIONS,
            null,
            List.of("warm-up.limit=5s"),
            0.5);
    return new Starter(setup);
  }

  private Trials trials(Starter starter) {
    return new Trials(starter, new Trials.Times(1, 1, 4, 1, 2, 4), 7, said::add);
  }

  private Trials trials() {
    return trials(starter());
  }

  /** An AOT cache does not take older classes, so the build must have renewed them. */
  @Test
  void jar_everyClass_isOfJava6OrNewer() throws Exception {
    List<String> old = new ArrayList<>();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.getEntry("picocli/CommandLine.class")).isNotNull();
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".class")) {
          try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
            in.skipNBytes(6);
            if (in.readUnsignedShort() < ClassFile.JAVA_6_VERSION) {
              old.add(entry.getName());
            }
          }
        }
      }
    }
    assertThat(old).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void first_everyRequest_isAnsweredAsItsScriptSays(Protocol protocol) throws Exception {
    Trials.First first = trials().first(Starter.Wish.of(WarmUpWay.NOTHING).by(protocol));
    assertThat(first.figures()).hasSameSizeAs(MeasuredRequests.script().shots());
    assertThat(first.live()).isPositive().isLessThanOrEqualTo(first.ready());
    Chapter chapter = FirstChapter.of(protocol, List.of(first), trials().times());
    assertThat(chapter.rows()).hasSameSizeAs(first.figures());
    assertThat(chapter.page("", "", "")).contains("an order, handed over");
  }

  @Test
  void full_rightAfterReady_countsEachSecond() throws Exception {
    Trials.Loaded loaded = trials().full(Starter.Wish.of(WarmUpWay.HTTP));
    assertThat(loaded.taken().errors()).isEmpty();
    assertThat(loaded.taken().rates()).hasSize(1).allMatch(rate -> rate > 0);
    assertThat(work.toFile().list()).noneMatch(left -> left.startsWith("data"));
  }

  /** The mix of the story: first the one, then the other, in one process. */
  @ParameterizedTest
  @CsvSource({
    "NOTHING, false, false",
    "CALLS, true, false",
    "HTTP, false, true",
    "MIXED, true, true"
  })
  void way_callsMethods_andWarmsUp_asItSays(WarmUpWay way, boolean calls, boolean warms)
      throws Exception {
    try (Starter.Started server = starter().start(Starter.Wish.of(way))) {
      String output = server.subject().lastOutput();
      assertThat(output.contains(" rounds of method calls")).isEqualTo(calls);
      double warmed = Servers.metrics(server.subject()).sum("gilmok_warmup_requests_total", "");
      assertThat(warmed > 0).isEqualTo(warms);
      if (calls) {
        assertThat(server.live()).isGreaterThan(0.5);
        assertThat(output).doesNotContainPattern("(?m)^0 rounds of method calls");
      }
    }
  }

  @Test
  void request_besideABusyNeighbour_isNoLimit_andNoMetricOfThrottlingShowsIt() throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    NeighbourChapter.Plan plan = new NeighbourChapter.Plan(0.3, processors, processors, 50, 2);
    Starter starter = starter();
    NeighbourPart part = new NeighbourPart(trials(starter), starter, work);
    List<NeighbourChapter.Row> rows = new ArrayList<>();
    try {
      for (double asked : List.of(1.0, 0.3)) {
        NeighbourPart.Situation situation = new NeighbourPart.Situation(asked, true);
        rows.add(part.row(plan, situation, WarmUpWay.NOTHING));
      }
    } catch (CpuGroup.Forbidden here) {
      Assumptions.abort("left out: " + here.getMessage());
    }
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.seen().told().processors()).isEqualTo(processors);
              assertThat(row.seen().told().throttledPeriods()).isZero();
              assertThat(row.answers().p99()).isPositive();
            });
    double usual = rows.getFirst().seen().server();
    assertThat(rows.getLast().seen().server())
        .as("processors of the server until it was ready, with the usual weight " + usual)
        .isLessThan(0.8 * usual);
    assertThat(part.doctor(0.3))
        .contains("processors asked for", "about 0.3", "resources.requests");
  }
}
