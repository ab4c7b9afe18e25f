package gilmok.doctor;

import gilmok.observe.KernelFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The heap of {@code gilmok serve}: of the one that runs in this container or on this machine, by
 * its command line; else of this process, which the launcher gives the same.
 *
 * @param bytes the most that it takes
 * @param whose for people
 */
record ServeHeap(long bytes, String whose) {
  private static final Pattern SIZE =
      Pattern.compile("-(?:Xmx|XX:MaxHeapSize=)(\\d{1,15})([kKmMgGtT]?)");
  private static final Pattern SHARE =
      Pattern.compile("-XX:MaxRAMPercentage=(\\d{1,3}(?:\\.\\d{1,9})?)");
  private static final double USUAL_SHARE = 25;
  private static final double PERCENT = 100;

  /**
   * Finds it.
   *
   * @param root of the file system
   * @param toolOptions the variable JAVA_TOOL_OPTIONS; may be empty
   * @param memory what a share is taken of: the limit, or what the machine has
   * @param own the heap of this process
   */
  static ServeHeap find(Path root, String toolOptions, long memory, long own) {
    try (DirectoryStream<Path> processes =
        Files.newDirectoryStream(root.resolve("proc"), "[0-9]*")) {
      for (Path process : processes) {
        List<String> words =
            Arrays.asList(KernelFile.text(process.resolve("cmdline")).split("\0", -1));
        int serve = words.indexOf("serve");
        if (serve > 0
            && words.subList(0, serve).stream().anyMatch(word -> word.contains("gilmok-all.jar"))) {
          List<String> options = new ArrayList<>(List.of(toolOptions.split("\\s+", -1)));
          options.addAll(words.subList(0, serve));
          return new ServeHeap(heap(options, memory), "of process " + process.getFileName());
        }
      }
    } catch (IOException none) {
      // As where none runs.
    }
    return new ServeHeap(own, "as this Java has it");
  }

  /** As the JVM reckons it: the last option of a kind counts, and a size more than a share. */
  private static long heap(List<String> options, long memory) {
    long size = 0;
    double share = USUAL_SHARE;
    for (String option : options) {
      Matcher sized = SIZE.matcher(option);
      Matcher shared = SHARE.matcher(option);
      if (sized.matches()) {
        int power = sized.group(2).isEmpty() ? 0 : 1 + "kmgt".indexOf(unit(sized.group(2)));
        size = Long.parseLong(sized.group(1)) << (10 * power);
      } else if (shared.matches()) {
        share = Double.parseDouble(shared.group(1));
      }
    }
    return size > 0 ? size : (long) (memory * share / PERCENT);
  }

  private static String unit(String letter) {
    return letter.toLowerCase(Locale.ROOT);
  }
}
