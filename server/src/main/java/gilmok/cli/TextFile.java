package gilmok.cli;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A file of text in UTF-8, plain or gzip by its first bytes; or standard input. A byte order mark
 * is skipped. Of gzip all members are read, and nothing behind them is passed over.
 *
 * <p>{@link #progress} may be called from any thread; the rest belongs to the reading thread.
 */
final class TextFile implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int BYTE_ORDER_MARK = 0xFEFF;

  /** Stands for bytes that are no UTF-8. Unicode gives it to nobody, so no text has it. */
  static final char NO_TEXT = '\uFDD0';

  private final Counting bytes;
  private final long bytesMax;
  private final BufferedReader reader;
  private boolean isPacked;

  private TextFile(InputStream stream, long bytesMax, CodingErrorAction onNoText)
      throws IOException {
    this.bytes = new Counting(stream);
    this.bytesMax = bytesMax;
    this.reader = readerOf(new BufferedInputStream(bytes, BUFFER_BYTES), onNoText);
  }

  /**
   * Opens a file, or standard input for {@code -}.
   *
   * @param what the file must have, for errors
   */
  static TextFile open(String name, String what) throws IOException {
    return open(name, what, CodingErrorAction.REPORT);
  }

  /**
   * The same, but bytes that are no UTF-8 do not end the reading: {@link #NO_TEXT} stands for them.
   * The checksums of a file of gzip are looked at before, as nothing of a damaged one may count.
   */
  static TextFile openWhole(String name, String what) throws IOException {
    if (!name.equals("-")) {
      try (TextFile first = open(name, what, CodingErrorAction.REPLACE)) {
        first.passOver();
      } catch (IOException broken) {
        throw explained(broken);
      }
    }
    return open(name, what, CodingErrorAction.REPLACE);
  }

  /** Reads gzip to its end. */
  private void passOver() throws IOException {
    if (isPacked) {
      char[] passed = new char[BUFFER_BYTES];
      while (reader.read(passed) >= 0) {
        // Only whether it can be read.
      }
    }
  }

  private static TextFile open(String name, String what, CodingErrorAction onNoText)
      throws IOException {
    if (name.equals("-")) {
      return new TextFile(System.in, 0, onNoText);
    }
    Path path = Path.of(name);
    if (Files.isDirectory(path)) {
      throw new CommandFailure(name + " is a folder; name a file of " + what);
    }
    InputStream stream;
    try {
      stream = Files.newInputStream(path);
    } catch (NoSuchFileException missing) {
      throw new CommandFailure("there is no file " + name);
    } catch (IOException closed) {
      throw new CommandFailure(name + " cannot be opened (" + closed + ")");
    }
    try {
      return new TextFile(stream, Files.size(path), onNoText);
    } catch (IOException broken) {
      stream.close();
      throw explained(broken);
    } catch (CommandFailure unusable) {
      stream.close();
      throw unusable;
    }
  }

  /** Reads the text, from its beginning. */
  BufferedReader reader() {
    return reader;
  }

  /** The first character that is not white space, which is not taken; -1 if there is none. */
  int firstCharacter() throws IOException {
    reader.mark(BUFFER_BYTES / 2);
    int first = reader.read();
    for (int i = 0; i < BUFFER_BYTES / 4 && first >= 0 && Character.isWhitespace(first); i++) {
      first = reader.read();
    }
    reader.reset();
    return first;
  }

  /** How much has been read, from 0 to 1; negative when the size is not known. */
  double progress() {
    return bytesMax == 0 ? -1 : Math.min(1, (double) bytes.count / bytesMax);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }

  /** What is wrong with a file that cannot be read to its end. */
  static CommandFailure explained(IOException broken) {
    return new CommandFailure(
        switch (broken) {
          case MalformedInputException notText -> "the file is not UTF-8";
          case EOFException cut -> "the gzip file is cut off";
          case ZipException damaged -> "the gzip file is damaged (" + damaged.getMessage() + ")";
          default -> "the file cannot be read (" + broken.getMessage() + ")";
        });
  }

  private BufferedReader readerOf(BufferedInputStream stream, CodingErrorAction onNoText)
      throws IOException {
    stream.mark(2);
    int first = stream.read();
    int second = stream.read();
    stream.reset();
    isPacked = first == 0x1f && second == 0x8b;
    if ((first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff)) {
      throw new CommandFailure(
          "the file is UTF-16; make it UTF-8, as iconv -f UTF-16 -t UTF-8 does");
    }
    InputStream plain = isPacked ? new WholeGzip(stream) : stream;
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                plain,
                StandardCharsets.UTF_8
                    .newDecoder()
                    .replaceWith(String.valueOf(NO_TEXT))
                    .onMalformedInput(onNoText)
                    .onUnmappableCharacter(onNoText)),
            BUFFER_BYTES);
    reader.mark(1);
    if (reader.read() != BYTE_ORDER_MARK) {
      reader.reset();
    }
    return reader;
  }

  /** Java's own passes over whatever stands behind a member that it can read. */
  private static final class WholeGzip extends GZIPInputStream {
    private static final int TRAILER_BYTES = 8;

    WholeGzip(InputStream in) throws IOException {
      super(in, BUFFER_BYTES);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int got = super.read(target, offset, length);
      if (got < 0 && (inf.getRemaining() > TRAILER_BYTES || in.available() > 0)) {
        throw new ZipException("what follows one of its members is no gzip");
      }
      return got;
    }
  }

  private static final class Counting extends FilterInputStream {
    private volatile long count;

    Counting(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      throw new UnsupportedOperationException("a buffered stream reads arrays");
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the reading thread writes
    public int read(byte[] target, int offset, int length) throws IOException {
      int got = super.read(target, offset, length);
      count += Math.max(0, got);
      return got;
    }
  }
}
