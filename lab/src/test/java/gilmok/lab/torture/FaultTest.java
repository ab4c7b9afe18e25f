package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.lab.Servers;
import gilmok.lab.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each fault reports whether it took effect. A small program stands in for the server. */
@Tag("process")
class FaultTest {
  private static final String FORCES =
      "import os,sys,time\n"
          + "f=open(sys.argv[1],'wb',buffering=0)\n"
          + "print('begun',flush=True)\n"
          + "while True:\n"
          + "  f.write(b'x')\n"
          + "  try: os.fdatasync(f.fileno())\n"
          + "  except OSError: pass\n"
          + "  time.sleep(0.01)\n";
  private static final String SLEEPS = "print('begun',flush=True)\nimport time\ntime.sleep(600)\n";

  @TempDir private Path folder;
  private @Nullable Process process;

  @BeforeEach
  void aProgram() {
    Assumptions.assumeTrue(Shell.has("strace") && Shell.has("prlimit") && Shell.has("python3"));
  }

  @AfterEach
  void leave() throws Exception {
    Process now = process;
    if (now != null) {
      now.destroyForcibly().waitFor();
    }
  }

  @Test
  void force_processForces_counts() throws Exception {
    for (ForceFault.Way way : ForceFault.Way.values()) {
      Victim victim = begin(FORCES);
      ForceFault fault = new ForceFault(way, 2);
      fault.begin(victim, folder);
      assertThat(ProcessLook.tracers(victim.pid())).hasSize(1).doesNotContain(0L);
      await(() -> calls().contains(way == ForceFault.Way.FAILS ? "(INJECTED)" : "(DELAYED)"));
      fault.end();
      assertThat(fault.effect()).matches("[1-9]\\d* calls");
      assertThat(ProcessLook.tracers(victim.pid())).containsExactly(0L);
      leave();
    }
  }

  @Test
  void force_nothingIsForced_saysSo() throws Exception {
    Victim victim = begin(SLEEPS);
    ForceFault fault = new ForceFault(ForceFault.Way.SLOW, 2);
    fault.begin(victim, folder);
    assertThatThrownBy(fault::end)
        .isInstanceOf(DidNotTakeException.class)
        .hasMessageContaining("nothing was forced");
  }

  @Test
  void force_somebodyElseTracesIt_saysSo() throws Exception {
    // The program only sleeps. The first tracer would stop one that forces now and then, and the
    // second fault excuses a program that is stopped.
    Victim victim = begin(SLEEPS);
    ForceFault first = new ForceFault(ForceFault.Way.SLOW, 1);
    first.begin(victim, folder);
    await(() -> !ProcessLook.isStopped(victim.pid()));
    Path other = Files.createDirectory(folder.resolve("other"));
    ForceFault second = new ForceFault(ForceFault.Way.SLOW, 1);
    assertThatThrownBy(() -> second.begin(victim, other))
        .isInstanceOf(DidNotTakeException.class)
        .hasMessageContaining("strace does not hold it");
    assertThatThrownBy(first::end).hasMessageContaining("nothing was forced");
  }

  @Test
  void force_processIsNoMore_isNothing() throws Exception {
    Victim victim = begin(FORCES);
    ForceFault fault = new ForceFault(ForceFault.Way.FAILS, 60_000);
    fault.begin(victim, folder);
    leave();
    fault.end();
    new ForceFault(ForceFault.Way.SLOW, 1).begin(victim, folder);
  }

  @Test
  void descriptors_setAndGivenBack() throws Exception {
    Victim victim = begin(SLEEPS);
    OptionalLong before = ProcessLook.filesMax(victim.pid());
    Descriptors fault = new Descriptors(0);
    fault.begin(victim, 0);
    assertThat(ProcessLook.filesMax(victim.pid())).isEqualTo(ProcessLook.openFiles(victim.pid()));
    fault.end();
    assertThat(ProcessLook.filesMax(victim.pid())).isEqualTo(before);
  }

  @Test
  void descriptors_nobodyListens_saysSo() throws Exception {
    Victim victim = begin(SLEEPS);
    Descriptors fault = new Descriptors(200);
    int nobody = Servers.freePort();
    assertThatThrownBy(() -> fault.begin(victim, nobody))
        .isInstanceOf(DidNotTakeException.class)
        .hasMessageContaining("only 0 connections");
    fault.end();
  }

  @Test
  void descriptors_processIsNoMore_isNothing() throws Exception {
    Victim victim = begin(SLEEPS);
    Descriptors fault = new Descriptors(0);
    fault.begin(victim, 0);
    leave();
    fault.end();
    new Descriptors(200).begin(victim, 0);
  }

  @Test
  void victim_heldUp_isNotStrange() throws Exception {
    Victim victim = begin(SLEEPS);
    assertThatThrownBy(() -> victim.mustHave(false, "why")).hasMessage("why");
    Fault.Hang.stop(victim.pid());
    assertThat(ProcessLook.isStopped(victim.pid())).isTrue();
    victim.mustHave(false, "why");
    Fault.Hang.release(victim.pid());
  }

  private Victim begin(String program) throws Exception {
    Process now =
        new ProcessBuilder("python3", "-c", program, folder.resolve("file").toString()).start();
    process = now;
    assertThat(now.inputReader().readLine()).isEqualTo("begun");
    return new Victim(() -> now.isAlive() ? now.pid() : 0, now.pid());
  }

  private String calls() {
    try {
      return Files.readString(folder.resolve("calls"));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static void await(BooleanSupplier condition) throws Exception {
    assertThat(Settling.await(Duration.ofSeconds(30), condition)).isTrue();
  }
}
