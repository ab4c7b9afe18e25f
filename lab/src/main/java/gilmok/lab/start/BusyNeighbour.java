package gilmok.lab.start;

import gilmok.lab.ProcessorClock;
import gilmok.lab.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A neighbour on the same machine that takes all the processor time that it gets: a process in a
 * loop for each processor, in a control group of their own. They end with {@link #close}, and by
 * themselves soon after this process. Not thread-safe.
 */
final class BusyNeighbour implements AutoCloseable {
  /** Looks after the process that started it now and then; its number is the argument. */
  private static final String LOOP =
      "while kill -0 \"$0\" 2>/dev/null; do"
          + " i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; done";

  private static final int NO_PORT = 1;

  private final CpuGroup group;
  private final List<Subject> burners = new ArrayList<>();

  private BusyNeighbour(CpuGroup group) {
    this.group = group;
  }

  /**
   * Starts one.
   *
   * @param group its own; closed with it
   * @param processors how many it keeps busy, if it may
   * @param work the folder for its output
   */
  static BusyNeighbour start(CpuGroup group, int processors, Path work) throws IOException {
    BusyNeighbour neighbour = new BusyNeighbour(group);
    Path output = work.resolve("neighbour.out");
    String own = Long.toString(ProcessHandle.current().pid());
    try {
      for (int i = 0; i < processors; i++) {
        List<String> command = new ArrayList<>(group.joining());
        command.addAll(List.of("sh", "-c", LOOP, own));
        neighbour.burners.add(Subject.start("neighbour", command, Map.of(), NO_PORT, output));
      }
      return neighbour;
    } catch (IOException | RuntimeException failed) {
      neighbour.close();
      throw failed;
    }
  }

  /** The processor time that it has used so far, in seconds. */
  double processorSeconds() {
    return burners.stream().mapToLong(burner -> new ProcessorClock(burner.pid()).nanos()).sum()
        / 1e9;
  }

  @Override
  public void close() throws IOException {
    for (Subject burner : burners) {
      try {
        burner.kill();
      } catch (InterruptedException e) {
        burner.close();
        Thread.currentThread().interrupt();
      }
    }
    group.close();
  }
}
