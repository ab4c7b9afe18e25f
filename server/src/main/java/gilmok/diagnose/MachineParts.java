package gilmok.diagnose;

import gilmok.observe.KernelFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel tells about the machine, the container and this process. Stateless. */
final class MachineParts {
  private static final List<String> FILES =
      List.of(
          "/proc/loadavg",
          "/proc/meminfo",
          "/proc/stat",
          "/proc/pressure/cpu",
          "/proc/pressure/io",
          "/proc/pressure/memory",
          "/proc/self/status",
          "/proc/self/limits",
          "/proc/self/cgroup",
          "/proc/self/mountinfo",
          "/proc/self/io",
          "/proc/sys/net/core/somaxconn",
          "/proc/sys/kernel/pid_max",
          "/proc/sys/vm/max_map_count",
          "/proc/net/sockstat",
          "/sys/fs/cgroup/cpu.max",
          "/sys/fs/cgroup/cpu.stat",
          "/sys/fs/cgroup/cpu.weight",
          "/sys/fs/cgroup/memory.max",
          "/sys/fs/cgroup/memory.current",
          "/sys/fs/cgroup/memory.events",
          "/sys/fs/cgroup/pids.max");

  private MachineParts() {}

  static DiagnosisPart part() {
    return new DiagnosisPart("machine.txt", MachineParts::write);
  }

  private static void write(OutputStream out) throws IOException {
    for (String name : FILES) {
      Path file = Path.of(name);
      if (Files.isReadable(file)) {
        out.write(("== " + name + "\n").getBytes(StandardCharsets.UTF_8));
        out.write(KernelFile.bytes(file));
      }
    }
  }
}
