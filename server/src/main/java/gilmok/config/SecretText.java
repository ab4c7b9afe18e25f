package gilmok.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a secret from a file, as Docker and Kubernetes mount them. */
final class SecretText {
  private static final int BYTES_MAX = 64 << 10;

  private SecretText() {}

  /**
   * The content of a file, without one line end at its end.
   *
   * @throws IOException when it holds no secret; the message says why, in words that follow its
   *     path, and never shows what is in it
   */
  static String read(String path) throws IOException {
    byte[] bytes;
    try {
      Path file = Path.of(path);
      // Reading a pipe would block for ever, and could not be repeated.
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new IOException("is no plain file");
      }
      try (InputStream in = Files.newInputStream(file)) {
        bytes = in.readNBytes(BYTES_MAX + 1);
      }
    } catch (NoSuchFileException missing) {
      throw new IOException("is not there", missing);
    } catch (AccessDeniedException denied) {
      throw new IOException("may not be read by this user", denied);
    } catch (InvalidPathException nonsense) {
      throw new IOException("is no path", nonsense);
    }
    if (bytes.length > BYTES_MAX) {
      throw new IOException("is larger than 64 KiB");
    }
    String text = decoded(bytes).replaceFirst("\r?\n\\z", "");
    if (text.isEmpty()) {
      throw new IOException("is empty");
    }
    return text;
  }

  private static String decoded(byte[] bytes) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException binary) {
      throw new IOException("is no text in UTF-8", binary);
    }
  }
}
