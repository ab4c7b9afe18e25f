package gilmok.lab.data;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * One SHA-256 for all files of a folder: of the lines that {@code sha256sum} prints for them,
 * sorted by name. {@code (cd DIR; find . -type f | cut -c3- | LC_ALL=C sort | xargs sha256sum |
 * sha256sum)} gives the same.
 */
final class FolderHash {
  private FolderHash() {}

  /** The hash, in hexadecimal digits. */
  static String of(Path folder) throws IOException {
    MessageDigest all = sha256();
    for (String name : names(folder)) {
      byte[] one = sha256().digest(Files.readAllBytes(folder.resolve(name)));
      String line = HexFormat.of().formatHex(one) + "  " + name + "\n";
      all.update(line.getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(all.digest());
  }

  /** The names of all files below a folder, with slashes, in order. */
  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .toList();
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java has it", impossible);
    }
  }
}
