package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The power cut itself: what a small program reports as forced must be there afterwards. */
@Tag("process")
class GroundTest {
  private static final int CUTS = 12;
  private static final int RECORD = 8240;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Appends records, and prints the number of each once it is forced. */
  private static final String APPENDS =
      "import os,sys,struct\n"
          + "f=os.open(sys.argv[1],os.O_CREAT|os.O_RDWR|os.O_TRUNC)\n"
          + "os.fsync(f);os.fsync(os.open(os.path.dirname(sys.argv[1]),os.O_RDONLY))\n"
          + "i=0\n"
          + "while True:\n"
          + "  i+=1\n"
          + "  os.pwrite(f,struct.pack('<I',i)+b'x'*%d,(i-1)*%d)\n".formatted(RECORD - 4, RECORD)
          + "  os.fdatasync(f)\n"
          + "  os.write(1,b'%d\\n'%i)\n";

  @TempDir private Path work;

  @Test
  void whatWasSaidToBeForced_isThereAfterACut() throws Exception {
    Assumptions.assumeTrue(Shell.has("python3"));
    String forbidden = Ground.whyNoImage(work);
    Assumptions.assumeTrue(forbidden == null, "no file system can be cut here: " + forbidden);
    Path script = Files.writeString(work.resolve("appends.py"), APPENDS);
    try (Ground ground = Ground.image(work, Ground.SMALL_IMAGE_SIZE)) {
      for (int cut = 0; cut < CUTS; cut++) {
        Path file = ground.data().resolveSibling("file-" + cut);
        Path said = work.resolve("said-" + cut);
        Process program =
            new ProcessBuilder("python3", script.toString(), file.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
          assertThat(Settling.await(PATIENCE, () -> said.toFile().length() > 20)).isTrue();
          String _ = ground.losePower(program.pid(), () -> program.destroyForcibly().waitFor());
        } finally {
          program.destroyForcibly().waitFor();
        }
        List<String> forced = Files.readAllLines(said);
        assertThat(forced).isNotEmpty().last().isEqualTo("" + forced.size());
        assertThat(Files.size(file)).isGreaterThanOrEqualTo((long) forced.size() * RECORD);
      }
    }
  }

  @Test
  void spaceGivenBack_isStillFreeAfterACut() throws Exception {
    String forbidden = Ground.whyNoImage(work);
    Assumptions.assumeTrue(forbidden == null, "no file system can be cut here: " + forbidden);
    try (Ground ground = Ground.image(work, Ground.SMALL_IMAGE_SIZE)) {
      ground.fill();
      ground.empty();
      String _ = ground.losePower(0, () -> {});
      assertThat(Files.exists(ground.data().resolveSibling("ballast"))).isFalse();
    }
  }
}
