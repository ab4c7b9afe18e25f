package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts the server's jar and sends requests. Checks that it was measured, not the values. */
@Tag("process")
class StartIT {
  private static final Path JAR = Path.of("../server/target/gilmok-all.jar");
  private static final List<String> OPTIONS =
      List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  @TempDir private Path work;

  private final List<String> said = new ArrayList<>();

  private Trials trials() {
    assertThat(Files.exists(JAR)).as("%s: build with package or verify", JAR).isTrue();
    Starter.Setup setup =
        new Starter.Setup(
            JAR.toAbsolutePath().normalize(),
            Path.of("unused"),
            work,
            OPTIONS,
            null,
            List.of("warm-up.limit=1s"),
            0);
    Trials.Times times = new Trials.Times(1, 1, 4, 1, 2, 4);
    return new Trials(new Starter(setup), times, 7, said::add);
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
}
