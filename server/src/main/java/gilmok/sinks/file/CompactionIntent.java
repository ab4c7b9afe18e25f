package gilmok.sinks.file;

import gilmok.storage.Disk;
import gilmok.storage.FileOutput;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a compaction is about to do in the folder of an hour, kept there in a hidden file until it
 * is done: first the outputs become visible, then the inputs are deleted. Lines of text; the last
 * is {@code end}.
 *
 * @param inputs their names, and sizes in bytes: another file may take the name of one
 */
record CompactionIntent(Map<String, Long> inputs, List<String> outputs) {
  private static final String HEAD = "gilmok compaction 1";
  private static final String END = "end";
  private static final int BYTES_MAX = 16 << 20;

  CompactionIntent {
    inputs = Map.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  static String name(NodeId node) {
    return "." + node + "-compaction";
  }

  /** The name of an output until it becomes visible, or of any file that is being written. */
  static String hidden(String name) {
    return "." + name + ".open";
  }

  /** Whether it is the hidden name of a file that this node was writing. */
  static boolean isHidden(String name, NodeId node) {
    boolean isOurs = name.startsWith("." + node + "-") || name.startsWith("." + name(node));
    return isOurs && name.endsWith(".open");
  }

  /** Writes it; durable on return, with all names of the folder. */
  void write(Disk disk, Path hour, NodeId node, ByteBuffer buffer) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(HEAD);
    inputs.forEach((name, bytes) -> lines.add("in " + name + " " + bytes));
    outputs.forEach(name -> lines.add("out " + name));
    lines.add(END);
    byte[] utf8 = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    Path open = hour.resolve(hidden(name(node)));
    try (FileOutput out = new FileOutput(disk.create(open), buffer)) {
      out.write(utf8, 0, utf8.length);
      out.force();
    }
    disk.forceFolder(hour);
    disk.rename(open, hour.resolve(name(node)));
    disk.forceFolder(hour);
  }

  /** Reads the one of an hour; null when there is none. */
  static @Nullable CompactionIntent read(Disk disk, Path hour, NodeId node) throws IOException {
    if (!disk.list(hour).contains(name(node))) {
      return null;
    }
    Path path = hour.resolve(name(node));
    String text;
    try (Disk.File file = disk.openForReading(path)) {
      if (file.size() > BYTES_MAX) {
        throw new IOException(path + " is too large for what it is");
      }
      text = StandardCharsets.UTF_8.decode(file.read(0, (int) file.size())).toString();
    }
    List<String> lines = text.lines().toList();
    if (lines.size() < 2 || !lines.getFirst().equals(HEAD) || !lines.getLast().equals(END)) {
      throw new IOException(path + " is damaged; no record is lost if it is deleted");
    }
    Map<String, Long> inputs = new HashMap<>();
    List<String> outputs = new ArrayList<>();
    for (String line : lines.subList(1, lines.size() - 1)) {
      String[] words = line.split(" ", -1);
      if (words.length == 3 && words[0].equals("in")) {
        inputs.put(words[1], Long.valueOf(words[2]));
      } else {
        outputs.add(words[words.length - 1]);
      }
    }
    return new CompactionIntent(inputs, outputs);
  }
}
