package gilmok.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The small text file that names a data folder's format, the node that owns it, and the file itself
 * as it was when written. Its last line is a checksum of the lines before. An earlier version wrote
 * only {@code format}, {@code node} and {@code file}.
 */
public final class NodeFile {
  public static final String NAME = "node";

  /** The format of a new folder. */
  static final int FIRST_FORMAT = 1;

  /** The format of a folder whose log has a record of the stream {@code audit}. */
  public static final int AUDIT_FORMAT = 2;

  /** Lines that no version wrote without a checksum. */
  private static final Set<String> SUMMED = Set.of("before", "born", "device", "on", "machine");

  private NodeFile() {}

  /**
   * The content of the file.
   *
   * @param format what may be in the folder: {@link #FIRST_FORMAT} to {@link #AUDIT_FORMAT}
   * @param before the node that wrote the segments before this one took the folder; null if none
   * @param isWhole whether it has all lines that this version writes
   */
  public record Content(
      int format, NodeId node, @Nullable NodeId before, FolderFacts.Facts facts, boolean isWhole) {

    /** Whether the content was written into that very file; a copy is another file. */
    boolean isOf(FolderFacts.Facts found) {
      return facts.inode().equals(found.inode())
          && (facts.born() == null || found.born() == null || facts.born().equals(found.born()));
    }

    /**
     * The facts that have changed although it is the same file, as far as old and new are known.
     */
    List<String> moved(FolderFacts.Facts found) {
      List<String> moved = new ArrayList<>();
      compare("device", facts.device(), found.device(), moved);
      compare("file system", facts.fileSystem(), found.fileSystem(), moved);
      compare("machine", facts.machine(), found.machine(), moved);
      return moved;
    }

    private static void compare(
        String what, @Nullable String then, @Nullable String now, List<String> moved) {
      if (then != null && now != null && !then.equals(now)) {
        moved.add(what + " " + now + ", was " + then);
      }
    }
  }

  /** The file does not have the content that it should. */
  public static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message, null, false, false);
    }
  }

  /** The content; null when there is no such file. */
  static @Nullable public Content read(Path folder)
      throws IOException, DamagedException, UnusableFolderException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      return null;
    }
    if (Files.isDirectory(file)) {
      throw new UnusableFolderException(file + " is a folder and no file: move it away");
    }
    // Latin-1 reads any bytes; the parsers of the values report characters that do not belong
    // there.
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    Map<String, String> lines = lines(text);
    String format = lines.get("format");
    if (format == null || !format.matches("\\d{1,4}")) {
      throw new DamagedException("it names no format");
    }
    int number = Integer.parseInt(format);
    if (number > AUDIT_FORMAT) {
      throw new NewerFormatException(file, number, AUDIT_FORMAT);
    }
    if (number < FIRST_FORMAT) {
      throw new DamagedException("there is no format " + number);
    }
    String sum = lines.get("sum");
    if (sum != null && !sum.equals(sum(text.substring(0, text.lastIndexOf("sum="))))) {
      throw new DamagedException("its checksum is wrong");
    }
    if (sum == null && lines.keySet().stream().anyMatch(SUMMED::contains)) {
      throw new DamagedException("its checksum is cut off");
    }
    String before = lines.get("before");
    FolderFacts.Facts facts =
        new FolderFacts.Facts(
            lines.getOrDefault("file", ""),
            lines.get("born"),
            lines.get("device"),
            lines.get("on"),
            lines.get("machine"));
    return new Content(
        number,
        id(lines.getOrDefault("node", "")),
        before == null ? null : id(before),
        facts,
        sum != null);
  }

  /** Writes the file, durably, in place of the old one. */
  public static void write(
      Path folder, int format, NodeId node, @Nullable NodeId before, FolderFacts facts)
      throws IOException {
    Path beside = folder.resolve(NAME + ".tmp");
    Files.deleteIfExists(beside);
    FileDisk disk = new FileDisk();
    try (Disk.File file = disk.create(beside)) {
      FolderFacts.Facts found = facts.of(beside);
      StringBuilder text = new StringBuilder("format=" + format + "\n");
      line(text, "node", node.toString());
      line(text, "before", before == null ? null : before.toString());
      line(text, "file", found.inode());
      line(text, "born", found.born());
      line(text, "device", found.device());
      line(text, "on", found.fileSystem());
      line(text, "machine", found.machine());
      line(text, "sum", sum(text.toString()));
      file.write(StandardCharsets.ISO_8859_1.encode(text.toString()), 0);
      file.force();
    }
    disk.rename(beside, folder.resolve(NAME));
    disk.forceFolder(folder);
  }

  private static void line(StringBuilder text, String key, @Nullable String value) {
    if (value != null) {
      text.append(key).append('=').append(value.replace('\n', ' ')).append('\n');
    }
  }

  private static Map<String, String> lines(String text) {
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        lines.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return lines;
  }

  private static NodeId id(String text) throws DamagedException {
    try {
      return NodeId.parse(text);
    } catch (IllegalArgumentException damaged) {
      throw new DamagedException(Objects.requireNonNull(damaged.getMessage()));
    }
  }

  private static String sum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    return "%08x".formatted(crc.getValue());
  }
}
