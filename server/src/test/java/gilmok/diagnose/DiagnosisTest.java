package gilmok.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class DiagnosisTest {
  private static DiagnosisPart part(String name, String text) {
    return new DiagnosisPart(name, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void partThatFails_isNamed_andTheOthersGoOn() throws Exception {
    DiagnosisPart fails =
        new DiagnosisPart(
            "b.txt",
            out -> {
              out.write('b');
              throw new IOException("no room");
            });
    DiagnosisPart ends =
        new DiagnosisPart(
            "c.txt",
            _ -> {
              throw new OutOfMemoryError("no heap");
            });
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    new Diagnosis(List.of(part("a.txt", "a"), fails, ends, part("d.txt", "d"))).write(archive);
    Map<String, String> files = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive.toByteArray()))) {
      for (ZipEntry one = zip.getNextEntry(); one != null; one = zip.getNextEntry()) {
        files.put(one.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertThat(files)
        .containsEntry("a.txt", "a")
        .containsEntry("b.txt", "b")
        .containsEntry("c.txt", "")
        .containsEntry("d.txt", "d")
        .containsEntry(
            "failures.txt",
            "b.txt: java.io.IOException: no room\nc.txt: java.lang.OutOfMemoryError: no heap\n");
  }

  @Test
  void clientThatIsGone_endsIt() {
    OutputStream gone =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("gone");
          }
        };
    Diagnosis diagnosis =
        new Diagnosis(List.of(part("a.txt", "a".repeat(1 << 20)), part("b.txt", "b")));
    assertThatThrownBy(() -> diagnosis.write(gone)).hasMessage("gone");
  }
}
