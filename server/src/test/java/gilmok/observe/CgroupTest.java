package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class CgroupTest {
  @TempDir Path folder;

  @Test
  void of_secondVersion_tightestOfAllAbove() throws IOException {
    file("sys/cgroup.controllers", "cpu memory\n");
    file("sys/kube/cpu.max", "150000 100000\n");
    file("sys/kube/memory.max", "2147483648\n");
    file("sys/kube/pod/cpu.max", "max 100000\n");
    file("sys/kube/pod/memory.max", "1073741824\n");

    Cgroup cgroup = cgroup("0::/kube/pod\n");

    assertThat(cgroup.processors()).isEqualTo(1.5);
    assertThat(cgroup.memoryBytes()).isEqualTo(1L << 30);
    assertThat(cgroup.cpuStat()).isEqualTo(folder.resolve("sys/kube/cpu.stat"));
  }

  @Test
  void of_secondVersionInItsNamespace_rootIsItsOwn() throws IOException {
    file("sys/cgroup.controllers", "cpu memory\n");
    file("sys/cpu.max", "30000 100000\n");
    file("sys/memory.max", "max\n");

    for (String path : new String[] {"/", "/../..", "/somewhere/of/the/host", "/\0"}) {
      Cgroup cgroup = cgroup("0::" + path + "\n");
      assertThat(cgroup.processors()).isEqualTo(0.3);
      assertThat(cgroup.memoryBytes()).isZero();
      assertThat(cgroup.cpuStat()).isEqualTo(folder.resolve("sys/cpu.stat"));
    }
  }

  @Test
  void of_firstVersion_eachResourceItsOwnTree() throws IOException {
    file("sys/cpu/cpu.cfs_quota_us", "-1\n");
    file("sys/cpu/docker/cpu.cfs_quota_us", "250000\n");
    file("sys/cpu/docker/cpu.cfs_period_us", "100000\n");
    file("sys/memory/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/memory/pod/memory.limit_in_bytes", "536870912\n");

    Cgroup cgroup = cgroup("9:name=systemd:/x\n2:cpu,cpuacct:/docker\n1:memory:/pod\n0::/\n");

    assertThat(cgroup.processors()).isEqualTo(2.5);
    assertThat(cgroup.memoryBytes()).isEqualTo(512L << 20);
    assertThat(cgroup.cpuStat()).isEqualTo(folder.resolve("sys/cpu/docker/cpu.stat"));
  }

  @Test
  void of_noLimits_none() throws IOException {
    file("sys/cpu/cpu.cfs_quota_us", "-1\n");
    file("sys/cpu/cpu.cfs_period_us", "100000\n");
    file("sys/memory/memory.limit_in_bytes", "9223372036854771712\n");

    Cgroup cgroup = cgroup("2:cpu:/\n1:memory:/\n");

    assertThat(cgroup.processors()).isZero();
    assertThat(cgroup.memoryBytes()).isZero();
    assertThat(cgroup.cpuStat()).isEqualTo(folder.resolve("sys/cpu/cpu.stat"));
  }

  @Test
  void of_noControlGroups_nothing() throws IOException {
    assertThat(Cgroup.of(new CgroupTree(folder.resolve("none"), folder.resolve("nowhere"))))
        .isEqualTo(new Cgroup(0, 0, null));
    file("sys/cgroup.controllers", "");
    file("sys/cpu.max", "what 100000");
    assertThat(cgroup("no such line").processors()).isZero();
    file("sys/cpu.max", "100000 0");
    assertThat(cgroup("0::/").processors()).isZero();
  }

  @Test
  void isContainer_byWhatEnginesLeave() throws IOException {
    assertThat(Cgroup.isContainer(Map.of(), folder)).isFalse();
    assertThat(Cgroup.isContainer(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"), folder)).isTrue();
    file(".dockerenv", "");
    assertThat(Cgroup.isContainer(Map.of(), folder)).isTrue();
  }

  /** A process that the kernel really limits. Needs cgroup v1 and root. */
  @Test
  void ofThisProcess_limitedByTheKernel_itsLimit() throws Exception {
    Path all = Path.of("/sys/fs/cgroup/cpu");
    assumeTrue(Files.isWritable(all.resolve("cgroup.procs")), "needs root and cgroup v1");
    Path group = Files.createTempDirectory(all, "gilmok-test-");
    try {
      Files.writeString(group.resolve("cpu.cfs_quota_us"), "30000");
      Process limited = new ProcessBuilder("cat").start();
      try {
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(limited.pid()));
        Path membership = Path.of("/proc/" + limited.pid() + "/cgroup");

        Cgroup cgroup = Cgroup.of(new CgroupTree(membership, Path.of("/sys/fs/cgroup")));

        assertThat(cgroup.processors()).isEqualTo(0.3);
        assertThat(cgroup.cpuStat()).isEqualTo(group.resolve("cpu.stat"));
        assertThat(new CpuThrottling(cgroup.cpuStat()).throttledMicros()).isNotNegative();
      } finally {
        limited.destroyForcibly();
        assertThat(limited.waitFor(10, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      Files.delete(group);
    }
  }

  private Cgroup cgroup(String membership) throws IOException {
    Path file = folder.resolve("membership");
    Files.writeString(file, membership, StandardCharsets.UTF_8);
    return Cgroup.of(new CgroupTree(file, folder.resolve("sys")));
  }

  private void file(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
