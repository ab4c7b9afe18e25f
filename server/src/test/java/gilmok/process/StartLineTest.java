package gilmok.process;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.AotCache;
import gilmok.observe.Cgroup;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StartLineTest {
  private static final Cgroup FREE = new Cgroup(0, 0, null);

  @Test
  void line_onALaptop_noLimitsAndNoWarnings() {
    StartLine start = start(FREE, false, AotCache.NONE);

    assertThat(start.line("wnf"))
        .isEqualTo(
            "Gilmok 1.0, node wnf; Java 25.0.3, G1, heap 512 MiB; processors 2;"
                + " AOT cache: none; \"gilmok train\" makes one");
    assertThat(start.warnings()).isEmpty();
  }

  @Test
  void line_inAContainer_itsLimits() {
    StartLine start = start(new Cgroup(1.5, 1L << 30, null), true, AotCache.USED);

    assertThat(start.line("wnf"))
        .contains("heap 512 MiB (of a memory limit of 1024 MiB)")
        .contains("processors 2 (of a limit of 1.5)")
        .endsWith("AOT cache: used");
    assertThat(start.warnings()).isEmpty();
  }

  @Test
  void warnings_fractionOfAProcessor_said() {
    StartLine start = start(new Cgroup(0.3, 1L << 30, null), true, AotCache.USED);

    assertThat(start.warnings()).singleElement().asString().startsWith("limited to 0.3 of a");
  }

  @Test
  void warnings_containerWithoutLimits_onAMachineWhereTheyMatter_said() {
    assertThat(start(16, FREE, false, true, AotCache.NONE).warnings())
        .hasSize(2)
        .anyMatch(line -> line.contains("without a processor limit"))
        .anyMatch(line -> line.contains("without a memory limit"));
  }

  @Test
  void warnings_containerWithoutLimits_fewProcessorsAndAHeapThatIsGiven_none() {
    assertThat(start(4, FREE, true, true, AotCache.NONE).warnings()).isEmpty();
    assertThat(start(5, FREE, true, true, AotCache.NONE).warnings()).hasSize(1);
    assertThat(start(4, FREE, false, true, AotCache.NONE).warnings()).hasSize(1);
  }

  @Test
  void heap_isGivenByAnyOfJavasOptions() {
    assertThat(StartLine.isHeapGiven(List.of("-Xlog:disable", "-Xmx512m"))).isTrue();
    assertThat(StartLine.isHeapGiven(List.of("-XX:MaxRAMPercentage=50"))).isTrue();
    assertThat(StartLine.isHeapGiven(List.of("-XX:+UseG1GC", "-Xms512m"))).isFalse();
  }

  @Test
  void warnings_aotMisfit_saysWhatToDo() {
    StartLine start = start(FREE, false, AotCache.UNUSED);

    assertThat(start.line("wnf")).endsWith("AOT cache: not used");
    assertThat(start.warnings()).singleElement().asString().contains("\"gilmok train\" makes one");
  }

  @Test
  void collector_byItsParts() {
    assertThat(StartLine.collector(List.of("G1 Young Generation", "G1 Concurrent GC")))
        .isEqualTo("G1");
    assertThat(StartLine.collector(List.of("PS MarkSweep", "PS Scavenge"))).isEqualTo("Parallel");
    assertThat(StartLine.collector(List.of("Copy", "MarkSweepCompact"))).isEqualTo("Serial");
    assertThat(StartLine.collector(List.of("ZGC Minor Cycles"))).isEqualTo("ZGC");
    assertThat(StartLine.collector(List.of())).isEmpty();
  }

  private static StartLine start(Cgroup limits, boolean isContainer, AotCache aot) {
    return start(2, limits, true, isContainer, aot);
  }

  private static StartLine start(
      int processors, Cgroup limits, boolean isHeapGiven, boolean isContainer, AotCache aot) {
    return new StartLine(
        "1.0", "25.0.3", "G1", 512L << 20, processors, limits, isHeapGiven, isContainer, aot);
  }
}
