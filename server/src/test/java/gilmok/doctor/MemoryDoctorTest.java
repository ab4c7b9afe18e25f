package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory and swap, out of files as the kernel has them. */
@Tag("unit")
final class MemoryDoctorTest {
  private static final Map<String, String> POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
  private static final String GROUPS = "sys/fs/cgroup/";
  @TempDir Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @BeforeEach
  void machine() throws IOException {
    file("proc/meminfo", "MemTotal: 8000000 kB\nSwapTotal:             0 kB\n");
    file(GROUPS + "cgroup.controllers", "memory\n");
  }

  private List<Check> look(Map<String, String> environment) {
    return new MemoryDoctor(root, environment, 200L << 20, 512L << 20).look();
  }

  private static Check of(List<Check> checks, String what) {
    return checks.stream().filter(check -> check.what().equals(what)).findFirst().orElseThrow();
  }

  @Test
  void enough_isWell() throws Exception {
    file(GROUPS + "memory.max", "1073741824\n");
    List<Check> checks = look(Map.of());
    assertThat(checks).extracting(Check::what).containsExactly("swap", "memory", "heap");
    assertThat(checks).extracting(Check::verdict).containsOnly("well");
    assertThat(of(checks, "memory").seen())
        .isEqualTo("limit 1,024 MB; 512 MB of heap (as this Java has it) and 200 MB beside it");
  }

  @Test
  void limitBelowHeapAndBeside_isToBeRaised() throws Exception {
    file(GROUPS + "memory.max", "629145600\n");
    Check memory = of(look(Map.of()), "memory");
    assertThat(memory.verdict()).isEqualTo("look");
    assertThat(memory.advice()).startsWith("give it 712 MB or more, or a smaller -Xmx");
  }

  @Test
  void noLimit_machineCounts() throws Exception {
    file(GROUPS + "memory.max", "max\n");
    assertThat(of(look(Map.of()), "memory").seen()).startsWith("machine 7,812 MB; ");
    file("proc/meminfo", "MemTotal: 600000 kB\nSwapTotal: 0 kB\n");
    assertThat(of(look(Map.of()), "memory").verdict()).isEqualTo("look");
  }

  @Test
  void heap_isThatOfTheServerThatRuns() throws Exception {
    file(GROUPS + "memory.max", "1073741824\n");
    file("proc/7/cmdline", String.join("\0", "vi", "gilmok-all.jar", "serve") + "\0");
    file("proc/9/cmdline", serve("-XX:MaxRAMPercentage=20"));
    Files.createDirectories(root.resolve("proc/10"));
    Files.delete(root.resolve("proc/7/cmdline"));
    List<Check> checks = look(Map.of());
    assertThat(of(checks, "memory").seen()).contains("204 MB of heap (of process 9)");
    assertThat(of(checks, "heap").verdict()).isEqualTo("look");
    // As the JVM reckons: a size before a share, the last size, the command line last.
    file("proc/9/cmdline", serve("-Xmx512m -Xmx1G -XX:MaxRAMPercentage=20"));
    Check memory = of(look(Map.of("JAVA_TOOL_OPTIONS", "-Xmx600m")), "memory");
    assertThat(memory.seen()).contains("1,024 MB of heap (of process 9)");
    assertThat(memory.verdict()).isEqualTo("look");
    file("proc/9/cmdline", serve("-XX:MaxRAMPercentage=50"));
    assertThat(of(look(Map.of("JAVA_TOOL_OPTIONS", "-Xmx600m")), "memory").seen())
        .contains("600 MB of heap (of process 9)");
    file("proc/9/cmdline", serve(""));
    assertThat(of(look(Map.of()), "memory").seen()).contains("256 MB of heap (of process 9)");
  }

  private static String serve(String options) {
    return "java\0" + options.replace(' ', '\0') + "\0-jar\0/opt/gilmok/gilmok-all.jar\0serve\0";
  }

  @Test
  void request_farBelowTheLimit_isToBeRaised() throws Exception {
    file(GROUPS + "memory.max", "2147483648\n");
    file(GROUPS + "memory.low", "536870912\n");
    Check asked = of(look(Map.of()), "memory asked for");
    assertThat(asked.seen()).isEqualTo("about 512 MB");
    assertThat(asked.verdict()).isEqualTo("look");
    assertThat(asked.advice()).contains("resources.requests.memory");
    file(GROUPS + "memory.min", "2147483648\n");
    assertThat(of(look(Map.of()), "memory asked for").verdict()).isEqualTo("well");
  }

  @Test
  void requestOfAPod_isReckonedFromWhoIsEndedFirst() throws Exception {
    file(GROUPS + "memory.max", "2147483648\n");
    file("proc/self/oom_score_adj", "935\n"); // 65 thousandths of 8 GB
    Check asked = of(look(POD), "memory asked for");
    assertThat(asked.seen()).isEqualTo("about 507 MB");
    assertThat(asked.verdict()).isEqualTo("look");
    file("proc/self/oom_score_adj", "1000\n");
    assertThat(of(look(POD), "memory asked for").seen()).isEqualTo("none");
    file("proc/self/oom_score_adj", "-997\n");
    assertThat(of(look(POD), "memory asked for").seen()).isEqualTo("about 2,048 MB");
    assertThat(of(look(POD), "memory asked for").verdict()).isEqualTo("well");
  }

  @Test
  void swap_isWellOnlyWhereTheContainerHasNone() throws Exception {
    file("proc/meminfo", "MemTotal: 8000000 kB\nSwapTotal:       2097148 kB\n");
    assertThat(of(look(Map.of()), "swap").seen()).isEqualTo("2,047 MB");
    assertThat(of(look(Map.of()), "swap").advice()).contains("swapoff");
    file(GROUPS + "memory.swap.max", "0\n");
    assertThat(of(look(Map.of()), "swap").seen()).isEqualTo("2,047 MB, none for this container");
    assertThat(of(look(Map.of()), "swap").verdict()).isEqualTo("well");
  }

  @Test
  void firstVersionOfControlGroups_isReadToo() throws Exception {
    Files.delete(root.resolve(GROUPS + "cgroup.controllers"));
    file("proc/meminfo", "MemTotal: 8000000 kB\nSwapTotal:       2097148 kB\n");
    file("proc/self/cgroup", "4:memory:/docker/a\n");
    file(GROUPS + "memory/docker/a/memory.limit_in_bytes", "2147483648\n");
    file(GROUPS + "memory/docker/a/memory.memsw.limit_in_bytes", "4294967296\n");
    file(GROUPS + "memory/docker/a/memory.soft_limit_in_bytes", "9223372036854771712\n");
    List<Check> checks = look(Map.of());
    assertThat(checks).extracting(Check::what).containsExactly("swap", "memory", "heap");
    assertThat(of(checks, "memory").seen()).startsWith("limit 2,048 MB; ");
    assertThat(of(checks, "swap").verdict()).isEqualTo("look");
    file(GROUPS + "memory/docker/a/memory.memsw.limit_in_bytes", "2147483648\n");
    assertThat(of(look(Map.of()), "swap").verdict()).isEqualTo("well");
    file(GROUPS + "memory/docker/a/memory.soft_limit_in_bytes", "1073741824\n");
    assertThat(of(look(Map.of()), "memory asked for").verdict()).isEqualTo("look");
  }
}
