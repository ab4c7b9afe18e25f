package gilmok.lab.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The instructions of a Dockerfile, in their order.
 *
 * @param steps all of them, those of later stages after those of earlier ones
 */
record Dockerfile(List<Step> steps) {
  /**
   * One instruction.
   *
   * @param name in capitals, as in {@code RUN}
   * @param text what follows the name, on one line
   */
  record Step(String name, String text) {
    /** The words of the text: those of a list in JSON, or between blanks. */
    List<String> words() {
      if (!text.startsWith("[")) {
        return List.of(text.split("\\s+"));
      }
      return Arrays.stream(text.substring(1, text.length() - 1).split(","))
          .map(String::strip)
          .map(word -> word.substring(1, word.length() - 1))
          .toList();
    }
  }

  static Dockerfile read(Path file) throws IOException {
    List<Step> steps = new ArrayList<>();
    StringBuilder open = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#") || line.isBlank()) {
        continue;
      }
      boolean goesOn = line.endsWith("\\");
      open.append(goesOn ? line.substring(0, line.length() - 1) : line);
      if (!goesOn) {
        String[] parts = open.toString().split("\\s+", 2);
        steps.add(new Step(parts[0], parts[1].strip()));
        open.setLength(0);
      }
    }
    return new Dockerfile(steps);
  }

  /** The last instruction of a name. */
  Step last(String name) {
    return steps.reversed().stream()
        .filter(step -> step.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException(name));
  }
}
