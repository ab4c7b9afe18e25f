package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.doctor.MachineDoctor.Check;
import gilmok.observe.Cgroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine's limits, out of files as the kernel has them. */
@Tag("unit")
final class MachineDoctorTest {
  @TempDir Path root;

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private List<Check> look(Cgroup cgroup) {
    return new MachineDoctor(root, root.resolve("data/not/made"), 20_000, cgroup).look();
  }

  private static Check of(List<Check> checks, String what) {
    return checks.stream().filter(check -> check.what().equals(what)).findFirst().orElseThrow();
  }

  @Test
  void machineThatIsWell_getsNoAdvice() throws Exception {
    limits(65_536, 60_000);
    file("proc/sys/kernel/pid_max", "4194304\n");
    file("sys/fs/cgroup/pids.max", "max\n");
    file("proc/sys/net/core/somaxconn", "4096\n");
    file("proc/meminfo", "MemTotal: 8000000 kB\nSwapTotal:             0 kB\n");
    file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    file("sys/fs/cgroup/cpu.weight", "79\n"); // two processors asked for
    List<Check> checks = look(new Cgroup(2, 2L << 30, null));
    assertThat(checks)
        .extracting(Check::what)
        .containsExactly(
            "file handles",
            "threads and processes",
            "backlog of connections",
            "swap",
            "clock",
            "processors",
            "processors asked for",
            "memory",
            "disk, room",
            "disk, speed");
    assertThat(checks)
        .filteredOn(check -> !check.what().startsWith("disk"))
        .allMatch(check -> check.advice().isEmpty());
    assertThat(of(checks, "threads and processes").seen()).isEqualTo("60,000 by ulimit -u");
    assertThat(of(checks, "processors asked for").seen()).isEqualTo("about 2.0");
    try (Stream<Path> left = Files.list(root)) {
      assertThat(left).noneMatch(file -> file.getFileName().toString().contains("doctor"));
    }
  }

  @Test
  void whatBringsAServerDown_isNamed_withWhatToDo() throws Exception {
    limits(1024, 4096);
    file("proc/sys/kernel/pid_max", "32768\n");
    file("sys/fs/cgroup/pids.max", "100\n");
    file("proc/sys/net/core/somaxconn", "128\n");
    file("proc/meminfo", "SwapTotal:       2097148 kB\n");
    file("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    file("sys/fs/cgroup/cpu.weight", "12\n"); // 0.3 of a processor asked for
    List<Check> checks = look(new Cgroup(2, 256L << 20, null));
    assertThat(of(checks, "file handles").advice()).contains("21,000", "LimitNOFILE=");
    assertThat(of(checks, "threads and processes").seen())
        .isEqualTo("100 by the cgroup's pids.max");
    assertThat(of(checks, "threads and processes").advice())
        .contains("raise the cgroup's pids.max");
    assertThat(of(checks, "backlog of connections").advice()).contains("net.core.somaxconn=4096");
    assertThat(of(checks, "swap").seen()).isEqualTo("2,047 MB");
    assertThat(of(checks, "swap").advice()).contains("swapoff");
    assertThat(of(checks, "clock").advice()).contains("tsc");
    assertThat(of(checks, "processors asked for").seen()).isEqualTo("about 0.3");
    assertThat(of(checks, "processors asked for").advice()).contains("resources.requests.cpu");
    assertThat(of(checks, "memory").advice()).contains("1 GiB");
  }

  @Test
  void whatTheMachineDoesNotTell_isLeftOut() {
    assertThat(look(new Cgroup(0, 0, null)))
        .extracting(Check::what)
        .containsExactly("processors", "disk, room", "disk, speed");
  }

  private void limits(int files, int processes) throws IOException {
    file(
        "proc/self/limits",
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             %d                %d                processes
        Max open files            %d                %d              files
        """
            .formatted(processes, processes, files, files));
  }
}
