package gilmok.lab.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** An archive as tar makes it, by POSIX. */
final class MadeTar {
  private static final int BLOCK = 512;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  MadeTar folder(String name) {
    head(name + "/", 0, '5');
    return this;
  }

  MadeTar file(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    head(name, bytes.length, '0');
    out.writeBytes(bytes);
    out.writeBytes(new byte[(BLOCK - bytes.length % BLOCK) % BLOCK]);
    return this;
  }

  private void head(String name, int bytes, char type) {
    byte[] head = new byte[BLOCK];
    int cut = name.length() <= 100 ? -1 : name.lastIndexOf('/', 100);
    put(head, 0, name.substring(cut + 1));
    put(head, 124, String.format("%011o", bytes));
    head[156] = (byte) type;
    put(head, 257, "ustar");
    put(head, 345, cut < 0 ? "" : name.substring(0, cut));
    out.writeBytes(head);
  }

  private static void put(byte[] head, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, head, at, bytes.length);
  }

  byte[] bytes() {
    out.writeBytes(new byte[2 * BLOCK]);
    return out.toByteArray();
  }

  Path write(Path file) throws IOException {
    return write(bytes(), file);
  }

  static Path write(byte[] tar, Path file) throws IOException {
    try (OutputStream zipped = new GZIPOutputStream(Files.newOutputStream(file))) {
      zipped.write(tar);
    }
    return file;
  }
}
