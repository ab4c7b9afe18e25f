package gilmok.lab.data;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;

/**
 * Reads files out of a compressed tar archive ({@code .tar.gz}, the form of POSIX and its
 * predecessors). Names of more than 255 characters, which have entries of their own, are not read.
 */
final class TarFile {
  private static final int BLOCK = 512;
  private static final int NAME_BYTES = 100;
  private static final int SIZE_AT = 124;
  private static final int SIZE_BYTES = 12;
  private static final int TYPE_AT = 156;
  private static final int MAGIC_AT = 257;
  private static final int PREFIX_AT = 345;
  private static final int PREFIX_BYTES = 155;
  private static final int OCTAL = 8;
  private static final long FILE_BYTES_MAX = 256L << 20;

  private TarFile() {}

  /**
   * Writes the wanted files of a folder of the archive into another folder.
   *
   * @param folder the folder in the archive
   * @param wanted which files, by their names below that folder
   * @throws IOException when it is no such archive, or ends too early
   */
  static void unpack(Path archive, String folder, Predicate<String> wanted, Path into)
      throws IOException {
    String below = folder + "/";
    try (InputStream in = new GZIPInputStream(Files.newInputStream(archive))) {
      byte[] head = new byte[BLOCK];
      while (in.readNBytes(head, 0, BLOCK) == BLOCK && head[0] != 0) {
        String name = name(head);
        long bytes = size(head);
        boolean isFile = head[TYPE_AT] == '0' || head[TYPE_AT] == 0;
        String own = name.startsWith(below) ? name.substring(below.length()) : "";
        if (isFile && !own.isEmpty() && wanted.test(own)) {
          write(in, bytes, inside(into, own));
        } else {
          in.skipNBytes(bytes);
        }
        in.skipNBytes((BLOCK - bytes % BLOCK) % BLOCK);
      }
    }
  }

  private static Path inside(Path folder, String name) throws IOException {
    Path file = folder.resolve(name).normalize();
    if (!file.startsWith(folder)) {
      throw new IOException(name + ": leads out of the archive");
    }
    return file;
  }

  private static void write(InputStream in, long bytes, Path file) throws IOException {
    byte[] content = in.readNBytes(Math.toIntExact(bytes));
    if (content.length < bytes) {
      throw new EOFException(file.getFileName() + ": the archive ends within it");
    }
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private static String name(byte[] head) {
    String name = text(head, 0, NAME_BYTES);
    boolean hasPrefix = text(head, MAGIC_AT, 5).equals("ustar");
    String prefix = hasPrefix ? text(head, PREFIX_AT, PREFIX_BYTES) : "";
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private static long size(byte[] head) throws IOException {
    try {
      long bytes = Long.parseLong(text(head, SIZE_AT, SIZE_BYTES).strip(), OCTAL);
      if (bytes >= 0 && bytes <= FILE_BYTES_MAX) {
        return bytes;
      }
    } catch (NumberFormatException none) {
      // Said below.
    }
    throw new IOException(name(head) + ": no size that a file of a set has");
  }

  private static String text(byte[] head, int at, int bytesMax) {
    int end = at;
    while (end < at + bytesMax && head[end] != 0) {
      end++;
    }
    return new String(head, at, end - at, StandardCharsets.UTF_8);
  }
}
