package gilmok.lab.capacity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What the machine has done so far, as the kernel counts it. Linux only; zeros elsewhere.
 * Immutable.
 *
 * @param busySeconds of all processors
 * @param stolenSeconds in which the host gave the processors to others
 * @param diskBytes written to the disks
 * @param networkBytes received and sent, loopback apart
 */
record MachineTimes(
    double busySeconds, double stolenSeconds, double diskBytes, double networkBytes) {
  private static final double TICKS = 100;
  private static final int IDLE = 4;
  private static final int IOWAIT = 5;
  private static final int STEAL = 8;
  private static final int GUEST = 9;
  private static final double SECTOR = 512;
  private static final int WRITTEN_SECTORS = 9;
  private static final int DISK_NAME = 2;
  private static final int SENT = 9;

  /** The present state. */
  static MachineTimes now() {
    double busy = 0;
    double stolen = 0;
    for (String line : lines("/proc/stat")) {
      if (line.startsWith("cpu ")) {
        String[] fields = line.split("\\s+");
        for (int i = 1; i < Math.min(GUEST, fields.length); i++) {
          double seconds = Double.parseDouble(fields[i]) / TICKS;
          busy += i == IDLE || i == IOWAIT || i == STEAL ? 0 : seconds;
          stolen += i == STEAL ? seconds : 0;
        }
      }
    }
    return new MachineTimes(busy, stolen, disks(), network());
  }

  private static double disks() {
    return lines("/proc/diskstats").stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields.length > WRITTEN_SECTORS && isWhole(fields[DISK_NAME]))
        .mapToDouble(fields -> SECTOR * Double.parseDouble(fields[WRITTEN_SECTORS]))
        .sum();
  }

  /** Whether it is a disk and no part of one, and no layer above others. */
  private static boolean isWhole(String name) {
    return name.matches("[shv]d[a-z]+|xvd[a-z]+|nvme[0-9]+n[0-9]+|mmcblk[0-9]+");
  }

  private static double network() {
    return lines("/proc/net/dev").stream()
        .filter(line -> line.contains(":") && !line.strip().startsWith("lo:"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip().split("\\s+"))
        .filter(fields -> fields.length > SENT - 1)
        .mapToDouble(fields -> Double.parseDouble(fields[0]) + Double.parseDouble(fields[SENT - 1]))
        .sum();
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException notLinux) {
      return List.of();
    }
  }

  /** What was added since. */
  MachineTimes since(MachineTimes earlier) {
    return new MachineTimes(
        busySeconds - earlier.busySeconds,
        stolenSeconds - earlier.stolenSeconds,
        diskBytes - earlier.diskBytes,
        networkBytes - earlier.networkBytes);
  }

  /** How many processors a process may use; the machine's if that cannot be read. */
  static int processors(long pid) {
    return lines("/proc/" + pid + "/status").stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .mapToInt(line -> count(line.substring(line.indexOf(':') + 1).strip()))
        .findFirst()
        .orElseGet(MachineTimes::processors);
  }

  /** How many processors the machine has, also those that this process may not use. */
  static int processors() {
    return lines("/sys/devices/system/cpu/online").stream()
        .mapToInt(line -> count(line.strip()))
        .findFirst()
        .orElse(Runtime.getRuntime().availableProcessors());
  }

  /** How many numbers a list such as {@code 0-2,5} has. */
  static int count(String list) {
    return Arrays.stream(list.split(","))
        .mapToInt(
            part -> {
              String[] ends = part.split("-");
              return 1 + Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]);
            })
        .sum();
  }
}
