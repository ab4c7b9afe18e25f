package gilmok.auth;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A copy of a shared store's keys as they were last seen, in the data folder. With it, a node that
 * is started while the store is away can still let riders in. It holds hashes only, as the store
 * does: a first line with the format and a checksum (CRC-32C) of the rest, then one key a line, as
 * JSON. It is a cache: a copy that is damaged, or cannot be written, counts as none. Not
 * thread-safe.
 */
final class KeysCopy {
  /** Its name in the data folder. */
  static final String NAME = "keys.seen";

  private static final String FORMAT = "gilmok keys 1 ";
  private static final System.Logger LOG = System.getLogger("gilmok.auth");

  private final Path file;
  private byte[] written = {};

  KeysCopy(Path folder) {
    file = folder.resolve(NAME);
  }

  /** Writes the keys, if they differ from those written before. */
  void write(List<StoredKey> keys) {
    StringBuilder lines = new StringBuilder();
    keys.forEach(key -> lines.append(KeyJson.write(key).json()).append('\n'));
    byte[] rest = lines.toString().getBytes(StandardCharsets.UTF_8);
    if (Arrays.equals(rest, written)) {
      return;
    }
    byte[] first = (FORMAT + checksum(rest, 0) + "\n").getBytes(StandardCharsets.US_ASCII);
    byte[] whole = Arrays.copyOf(first, first.length + rest.length);
    System.arraycopy(rest, 0, whole, first.length, rest.length);
    try {
      PrivateFile.write(file, whole);
      written = rest;
    } catch (IOException cannot) { // tried again with the next change, and each minute
      LOG.log(
          Level.WARNING,
          "{0} cannot be written; a start while the documents are unavailable will not know newer"
              + " keys: {1}",
          file,
          cannot.getMessage());
    }
  }

  /** Reads the copy because the store is away for that reason, which is logged. */
  List<StoredKey> readInPlaceOf(IOException away) {
    List<StoredKey> last = read();
    LOG.log(
        Level.WARNING,
        "the keys cannot be read; {0} keys of this node''s last copy are in force: {1}",
        last.size(),
        away.getMessage());
    return last;
  }

  /** Reads the copy; no keys if there is none, or it is damaged. */
  List<StoredKey> read() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      return read(Files.readAllBytes(file));
    } catch (IOException | RuntimeException damaged) { // wrong JSON, time or number
      LOG.log(
          Level.WARNING,
          "{0} cannot be used; it is written again as soon as the keys can be read: {1}",
          file,
          damaged.getMessage());
      return List.of();
    }
  }

  private static List<StoredKey> read(byte[] whole) throws IOException {
    int begin = 0;
    while (begin < whole.length && whole[begin++] != '\n') {}
    String first = new String(whole, 0, begin, StandardCharsets.US_ASCII).strip();
    if (!first.equals(FORMAT + checksum(whole, begin))) {
      throw new IOException("its checksum is wrong");
    }
    List<StoredKey> keys = new ArrayList<>();
    String rest = new String(whole, begin, whole.length - begin, StandardCharsets.UTF_8);
    for (String line : rest.lines().toList()) {
      keys.add(KeyJson.readLine(line));
    }
    return keys;
  }

  private static String checksum(byte[] bytes, int from) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, from, bytes.length - from);
    return Long.toHexString(sum.getValue());
  }
}
