package gilmok.observe;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The kernel's control groups that this process is in, and their files. Knows both versions: v2,
 * and v1, where each resource has a tree of its own. A file of v2 is named by its whole name, as in
 * {@code memory.max}, one of v1 likewise, as in {@code memory.limit_in_bytes}. The limits of parent
 * groups hold, too. Immutable; it reads when it is asked.
 *
 * @param membership lines of {@code id:controllers:path}: the groups the process is in
 * @param root where the groups' folders are mounted
 */
public record CgroupTree(Path membership, Path root) {
  /** The smallest number that means no limit in v1; no machine has that much. */
  private static final long NO_LIMIT = 1L << 60;

  /**
   * The groups of this process.
   *
   * @param root of the file system
   */
  public static CgroupTree at(Path root) {
    return new CgroupTree(root.resolve("proc/self/cgroup"), root.resolve("sys/fs/cgroup"));
  }

  /** Whether these are groups of v2. */
  public boolean isSecond() {
    return Files.exists(root.resolve("cgroup.controllers"));
  }

  /**
   * The folders of the process's group and of its parents, up to the root; the lowest first.
   *
   * @param controller of v1, as in {@code cpu}; one for all in v2
   */
  List<Path> groups(String controller) {
    String wanted = isSecond() ? "" : controller;
    Path top = isSecond() ? root : root.resolve(controller);
    Path group = top;
    for (String line : KernelFile.text(membership).split("\n", -1)) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && Arrays.asList(parts[1].split(",", -1)).contains(wanted)) {
        group = below(top, parts[2]);
      }
    }
    List<Path> all = new ArrayList<>();
    for (Path at = group; at != null && at.startsWith(top); at = at.getParent()) {
      if (Files.isDirectory(at)) {
        all.add(at);
      }
    }
    return all;
  }

  /**
   * The texts of a file in the process's group and its parents, the lowest first, without the
   * groups that have none.
   *
   * @param second its name in v2
   * @param first its name in v1
   */
  public List<String> texts(String controller, String second, String first) {
    String file = isSecond() ? second : first;
    return groups(controller).stream()
        .map(group -> KernelFile.text(group.resolve(file)))
        .filter(text -> !text.isEmpty())
        .toList();
  }

  /** The tightest limit of those files; 0 for none. */
  public long least(String controller, String second, String first) {
    return texts(controller, second, first).stream()
        .mapToLong(CgroupTree::number)
        .filter(limit -> limit > 0)
        .min()
        .orElse(0);
  }

  /** The number of the process's own group, or of the next one above that has one; 0 for none. */
  public long own(String controller, String second, String first) {
    List<String> texts = texts(controller, second, first);
    return texts.isEmpty() ? 0 : number(texts.getFirst());
  }

  /**
   * The group's folder. In a container the path is often the host's, while the container's own
   * group is mounted as the root: then the root.
   */
  private static Path below(Path top, String path) {
    try {
      Path group = top.resolve(path.substring(Math.min(1, path.length()))).normalize();
      return group.startsWith(top) && Files.isDirectory(group) ? group : top;
    } catch (InvalidPathException _) {
      return top;
    }
  }

  /** Parses a limit; 0 for none, which is written as "max", -1 or a huge number. */
  static long number(String text) {
    try {
      long number = Long.parseLong(text);
      return number < 0 || number >= NO_LIMIT ? 0 : number;
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}
