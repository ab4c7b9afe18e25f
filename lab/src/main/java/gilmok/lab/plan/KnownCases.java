package gilmok.lab.plan;

import gilmok.lab.data.SetFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name run sheets which others have made: a file, or a public set. */
public final class KnownCases {
  @Option(names = "--file", description = "A file of run sheets with known optima, one a line.")
  private @Nullable Path file;

  @Option(
      names = "--set",
      paramLabel = "NAME",
      description = "A public set of run sheets: tsppd or lrc206; see gilmok lab data.")
  private @Nullable String set;

  @Option(
      names = "--each",
      defaultValue = "10",
      description = "Run sheets of each size of the set, at most (default: ${DEFAULT-VALUE}).")
  private int each;

  @Option(
      names = "--cut",
      split = ",",
      defaultValue = "5,8,10,12,15",
      description =
          "Sizes of the sheets into which lrc206 is cut, in orders (default: "
              + "${DEFAULT-VALUE}).")
  private int[] cut = {};

  @Mixin private SetFolder folder = new SetFolder();

  /** Whether run sheets are named. */
  boolean areNamed() {
    return file != null || set != null;
  }

  /**
   * The run sheets; none if none are named.
   *
   * @throws IOException when a file or the set is not there or not to be used
   */
  List<Case> read() throws IOException {
    List<Case> cases = new ArrayList<>();
    if (file != null) {
      cases.addAll(Files.readAllLines(file).stream().map(Case::read).toList());
    }
    if (set != null) {
      cases.addAll(first(SheetFiles.read(folder.of(set), cut), each));
    }
    return cases;
  }

  /** The first of each size. */
  static List<Case> first(List<Case> all, int each) {
    Map<Integer, Integer> counts = new HashMap<>();
    return all.stream().filter(one -> counts.merge(one.orders(), 1, Integer::sum) <= each).toList();
  }
}
