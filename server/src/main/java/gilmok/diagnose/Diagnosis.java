package gilmok.diagnose;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** One diagnosis: the files of all parts, in a ZIP archive. Of one thread. */
final class Diagnosis {
  private static final String FAILURES = "failures.txt";

  private final List<DiagnosisPart> parts;
  private final List<String> failures = new ArrayList<>();

  Diagnosis(List<DiagnosisPart> parts) {
    this.parts = parts;
  }

  /**
   * Writes the archive. A part that fails is cut off there, and named in {@code failures.txt}.
   *
   * @throws IOException when {@code out} takes no more
   */
  void write(OutputStream out) throws IOException, InterruptedException {
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (DiagnosisPart part : parts) {
        zip.putNextEntry(new ZipEntry(part.name()));
        write(part, zip);
        zip.closeEntry();
      }
      if (!failures.isEmpty()) {
        zip.putNextEntry(new ZipEntry(FAILURES));
        zip.write(String.join("\n", failures).concat("\n").getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }

  private void write(DiagnosisPart part, ZipOutputStream zip)
      throws IOException, InterruptedException {
    Watched watched = new Watched(zip);
    try {
      part.writer().write(watched);
    } catch (IOException | RuntimeException | Error failed) {
      if (watched.isBroken) {
        throw failed; // it is the client that is gone, not the part
      }
      failures.add(part.name() + ": " + failed);
    }
  }

  /** Tells a part's own failure from one of the archive. */
  private static final class Watched extends FilterOutputStream {
    private boolean isBroken;

    Watched(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      isBroken = true;
      out.write(bytes, offset, length);
      isBroken = false;
    }

    @Override
    public void flush() throws IOException {
      isBroken = true;
      out.flush();
      isBroken = false;
    }

    @Override
    public void close() {
      // The archive goes on.
    }
  }
}
