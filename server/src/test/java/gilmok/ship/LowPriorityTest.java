package gilmok.ship;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The kernel's own word for it: the nineteenth field of proc(5)'s stat. */
@EnabledOnOs(OS.LINUX)
class LowPriorityTest {
  private static final int NICE_AFTER_NAME = 16;

  @Test
  void threads_yieldToTheUsualOnes() throws Exception {
    FutureTask<Integer> theirs = new FutureTask<>(LowPriorityTest::nice);
    Thread thread = LowPriority.threads("low").newThread(theirs);
    thread.start();
    assertThat(theirs.get()).isEqualTo(LowPriority.NICE);
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getName()).startsWith("low-");
    assertThat(nice()).as("this thread is as it was").isLessThan(LowPriority.NICE);
  }

  private static int nice() throws Exception {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    String afterName = stat.substring(stat.lastIndexOf(')') + 2);
    return Integer.parseInt(afterName.split(" ")[NICE_AFTER_NAME]);
  }
}
