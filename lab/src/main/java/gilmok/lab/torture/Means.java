package gilmok.lab.torture;

import gilmok.lab.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The faults that are possible on this machine.
 *
 * @param kinds the possible faults
 * @param lacking why the others are not possible, by kind
 * @param noDisk why no file system can be mounted; empty if one can, or is not wanted
 */
record Means(Set<FaultKind> kinds, Map<FaultKind, String> lacking, String noDisk) {
  /** Finds out by trying. Blocks. */
  static Means find(Set<FaultKind> wanted, Path work) throws IOException, InterruptedException {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    Map<FaultKind, String> lacking = new TreeMap<>();
    String noImage = "";
    if (wanted.contains(FaultKind.POWER_CUT) || wanted.contains(FaultKind.DISK_FULL)) {
      String why = Ground.whyNoImage(work);
      noImage = why == null ? "" : "no file system of its own can be mounted: " + why;
    }
    for (FaultKind kind : wanted) {
      String why = why(kind, noImage);
      if (why == null) {
        kinds.add(kind);
      } else {
        lacking.put(kind, why);
      }
    }
    return new Means(kinds, lacking, noImage);
  }

  /** Whether the data folder needs a file system of its own, and can have one. */
  boolean needsOwnDisk() {
    return noDisk.isEmpty()
        && (kinds.contains(FaultKind.POWER_CUT) || kinds.contains(FaultKind.DISK_FULL));
  }

  /**
   * Whether power cuts are simulated by a disk that forgets, because no file system can be mounted.
   */
  boolean forgets() {
    return kinds.contains(FaultKind.POWER_CUT) && !noDisk.isEmpty();
  }

  private static @Nullable String why(FaultKind kind, String noImage) throws IOException {
    return switch (kind) {
      case DISK_FULL -> noImage.isEmpty() ? null : noImage;
      case POWER_CUT ->
          noImage.isEmpty() || Shell.has("gcc") ? null : noImage + "; there is no gcc";
      case FSYNC_ERROR, FSYNC_SLOW -> noTracing();
      case DESCRIPTORS -> Shell.has("prlimit") ? null : "there is no prlimit";
      case CLOCK -> Shell.has("gcc") ? null : "there is no gcc";
      case DATABASE -> Shell.has("python3") ? null : "there is no python3";
      case KILL, FIREHOSE, REDIS, PARTNER, HANG, DAMAGE -> null;
    };
  }

  private static @Nullable String noTracing() throws IOException {
    if (!Shell.has("strace")) {
      return "there is no strace";
    }
    Path scope = Path.of("/proc/sys/kernel/yama/ptrace_scope");
    boolean isRoot = "root".equals(System.getProperty("user.name"));
    return isRoot || !Files.exists(scope) || Files.readString(scope).strip().equals("0")
        ? null
        : "only root may trace a process that is no child (ptrace_scope)";
  }
}
