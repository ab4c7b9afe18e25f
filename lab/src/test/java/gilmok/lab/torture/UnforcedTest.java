package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.lab.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small program writes and is killed; then the power cut takes what it had not forced. */
@Tag("process")
class UnforcedTest {
  private static final String BEGIN =
      "import os,sys\nos.chdir(sys.argv[1])\n"
          + "def made(name,text):\n"
          + "  f=os.open(name,os.O_RDWR|os.O_CREAT)\n"
          + "  os.write(f,text)\n  return f\n";
  private static final String END = "print('done',flush=True)\nsys.stdin.read()\n";

  @TempDir private Path work;
  private Path data;
  private Unforced unforced;

  @BeforeEach
  void aDisk() throws Exception {
    Assumptions.assumeTrue(Shell.has("gcc") && Shell.has("python3"));
    data = Files.createDirectory(work.resolve("data"));
    unforced = new Unforced(work, data);
    unforced.use();
  }

  @Test
  void forget_whatWasForced_stays() throws Exception {
    runAndKill("f=made('a',b'forced')\nos.fsync(f)\n");
    assertThat(unforced.forget()).isZero();
    assertThat(data.resolve("a")).hasContent("forced");
  }

  @Test
  void forget_whatWasNot_isAsItWasBefore() throws Exception {
    runAndKill(
        "f=made('a',b'0123456789')\nos.fdatasync(f)\n"
            + "os.pwrite(f,b'xx',2)\nos.pwrite(f,b'yyy',3)\nos.pwrite(f,b'more',10)\n");
    assertThat(data.resolve("a")).hasContent("01xyyy6789more");
    assertThat(unforced.forget()).isEqualTo(3);
    assertThat(data.resolve("a")).hasContent("0123456789");
  }

  @Test
  void forget_neverForced_isEmpty() throws Exception {
    runAndKill("made('a',b'written')\n");
    unforced.forget();
    assertThat(data.resolve("a")).isEmptyFile();
  }

  @Test
  void forget_otherName_isTheSameFile() throws Exception {
    runAndKill("f=made('a',b'forced')\nos.fsync(f)\nos.write(f,b'more')\nos.rename('a','b')\n");
    unforced.forget();
    assertThat(data.resolve("b")).hasContent("forced");
  }

  @Test
  void forget_cutShort_isAsLongAsBefore() throws Exception {
    runAndKill("f=made('a',b'0123456789')\nos.fsync(f)\nos.ftruncate(f,3)\n");
    assertThat(data.resolve("a")).hasContent("012");
    unforced.forget();
    assertThat(data.resolve("a")).hasContent("0123456789");
  }

  @Test
  void forget_overTwoLives_takesBackWhatNeitherForced() throws Exception {
    runAndKill("f=made('a',b'first')\nos.fsync(f)\nos.write(f,b'more')\n");
    runAndKill("f=os.open('a',os.O_RDWR|os.O_APPEND)\nos.write(f,b'most')\n");
    assertThat(data.resolve("a")).hasContent("firstmoremost");
    unforced.forget();
    assertThat(data.resolve("a")).hasContent("first");
    assertThatThrownBy(unforced::forget).isInstanceOf(DidNotTakeException.class);
  }

  private void runAndKill(String program) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-c", BEGIN + program + END, data.toString());
    builder.environment().putAll(unforced.environment());
    Process process = builder.start();
    assertThat(process.inputReader().readLine()).isEqualTo("done");
    process.destroyForcibly().waitFor();
  }
}
