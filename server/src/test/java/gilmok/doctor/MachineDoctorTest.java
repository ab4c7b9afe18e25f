package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;

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

  private List<Check> look() {
    return new MachineDoctor(root, root.resolve("data/not/made"), 20_000).look();
  }

  private static Check of(List<Check> checks, String what) {
    return checks.stream().filter(check -> check.what().equals(what)).findFirst().orElseThrow();
  }

  @Test
  void machineThatIsWell_getsNoAdvice() throws Exception {
    limits(65_536, 60_000);
    file("proc/sys/kernel/pid_max", "4194304\n");
    file("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n");
    file("sys/fs/cgroup/pids.max", "max\n");
    file("sys/fs/cgroup/cpu.max", "200000 100000\n");
    file("proc/sys/net/core/somaxconn", "4096\n");
    file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    file("sys/fs/cgroup/cpu.weight", "174\n"); // two processors asked for, or more
    List<Check> checks = look();
    assertThat(checks)
        .extracting(Check::what)
        .containsExactly(
            "file handles",
            "threads and processes",
            "backlog of connections",
            "clock",
            "processors",
            "processors asked for",
            "disk, room",
            "disk, speed");
    assertThat(checks)
        .filteredOn(check -> !check.what().startsWith("disk"))
        .allMatch(check -> check.advice().isEmpty());
    assertThat(of(checks, "threads and processes").seen()).isEqualTo("60,000 by ulimit -u");
    assertThat(of(checks, "processors asked for").seen())
        .isEqualTo("about 4.4; about 2.0 by runc 1.3.2 or newer");
    try (Stream<Path> left = Files.list(root)) {
      assertThat(left).noneMatch(file -> file.getFileName().toString().contains("doctor"));
    }
  }

  @Test
  void whatBringsAServerDown_isNamed_withWhatToDo() throws Exception {
    limits(1024, 4096);
    file("proc/sys/kernel/pid_max", "32768\n");
    // A unit of systemd: its group is not the root.
    file("proc/self/cgroup", "0::/system.slice/gilmok.service\n");
    file("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n");
    file("sys/fs/cgroup/system.slice/gilmok.service/pids.max", "100\n");
    file("sys/fs/cgroup/system.slice/gilmok.service/cpu.max", "200000 100000\n");
    file("proc/sys/net/core/somaxconn", "128\n");
    file("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    file(
        "sys/fs/cgroup/system.slice/gilmok.service/cpu.weight",
        "12\n"); // 0.3 of a processor asked for
    List<Check> checks = look();
    assertThat(of(checks, "file handles").advice()).contains("21,000", "LimitNOFILE=");
    assertThat(of(checks, "threads and processes").seen())
        .isEqualTo("100 by the cgroup's pids.max");
    assertThat(of(checks, "threads and processes").advice())
        .contains("raise the cgroup's pids.max");
    assertThat(of(checks, "backlog of connections").advice()).contains("net.core.somaxconn=4096");
    assertThat(of(checks, "clock").advice()).contains("tsc");
    assertThat(of(checks, "processors asked for").seen()).startsWith("about 0.3;");
    assertThat(of(checks, "processors asked for").advice()).contains("resources.requests.cpu");
  }

  @Test
  void firstVersionOfControlGroups_isReadToo() throws Exception {
    file("proc/self/cgroup", "8:pids:/docker/a\n2:cpu,cpuacct:/docker/a\n");
    file("sys/fs/cgroup/pids/docker/a/pids.max", "200\n");
    file("sys/fs/cgroup/cpu/docker/a/cpu.cfs_quota_us", "50000\n");
    file("sys/fs/cgroup/cpu/docker/a/cpu.cfs_period_us", "100000\n");
    file("sys/fs/cgroup/cpu/docker/a/cpu.shares", "102\n");
    List<Check> checks = look();
    assertThat(of(checks, "threads and processes").seen())
        .isEqualTo("200 by the cgroup's pids.max");
    assertThat(of(checks, "processors").seen()).endsWith("limit 0.5");
    assertThat(of(checks, "processors").verdict()).isEqualTo("look");
    assertThat(of(checks, "processors asked for").seen()).isEqualTo("about 0.1");
    assertThat(of(checks, "processors asked for").verdict()).isEqualTo("look");
  }

  @Test
  void requestWithoutALimit_isToldToo() throws Exception {
    file("proc/self/cgroup", "2:cpu,cpuacct:/kubepods/burstable/a\n");
    file("sys/fs/cgroup/cpu/kubepods/burstable/a/cpu.cfs_quota_us", "-1\n");
    file("sys/fs/cgroup/cpu/kubepods/burstable/a/cpu.cfs_period_us", "100000\n");
    file("sys/fs/cgroup/cpu/kubepods/burstable/a/cpu.shares", "307\n"); // 0.3 asked for
    List<Check> checks = look();
    assertThat(of(checks, "processors").seen()).doesNotContain("limit");
    assertThat(of(checks, "processors").verdict()).isEqualTo("well");
    assertThat(of(checks, "processors asked for").seen()).isEqualTo("about 0.3");
    assertThat(of(checks, "processors asked for").verdict()).isEqualTo("look");
    assertThat(of(checks, "processors asked for").advice())
        .contains("resources.requests.cpu", "one processor or more");
  }

  @Test
  void kernelsOwnWeight_withoutALimit_isNoRequest() throws Exception {
    file("proc/self/cgroup", "2:cpu,cpuacct:/docker/a\n");
    file("sys/fs/cgroup/cpu/docker/a/cpu.shares", "1024\n");
    assertThat(look()).extracting(Check::what).doesNotContain("processors asked for");
    file("sys/fs/cgroup/cpu/docker/a/cpu.shares", "2048\n");
    assertThat(of(look(), "processors asked for").verdict()).isEqualTo("well");
    file("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n");
    file("sys/fs/cgroup/cpu.weight", "100\n");
    assertThat(look()).extracting(Check::what).doesNotContain("processors asked for");
    file("sys/fs/cgroup/cpu.weight", "12\n");
    assertThat(of(look(), "processors asked for").verdict()).isEqualTo("look");
  }

  @Test
  void whatTheMachineDoesNotTell_isLeftOut() {
    assertThat(look())
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
