package gilmok.lab.start;

import gilmok.lab.capacity.ThreadTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How much processor time Java's compilers use in a server: until it is ready, then in each second
 * of its first load. Used by the thread that measures.
 */
final class CompilerTime implements Trials.Watch {
  /** {@code C1 CompilerThread0} and {@code C2 …}, as {@link ThreadTimes} names them. */
  private static final String COMPILERS = "C Compiler";

  private final List<Double> bySecond = new ArrayList<>();
  private double untilReady;
  private double allUntilReady;
  private Thread reader = Thread.ofVirtual().unstarted(() -> {});

  @Override
  public void ready(Starter.Started server) {
    long pid = server.subject().pid();
    ThreadTimes begin = ThreadTimes.of(pid);
    untilReady = seconds(begin, COMPILERS);
    allUntilReady = seconds(begin, "");
    reader = Thread.ofVirtual().start(() -> read(pid, begin));
  }

  @Override
  public void loaded(Starter.Started server) throws InterruptedException {
    reader.interrupt();
    reader.join();
  }

  private void read(long pid, ThreadTimes begin) {
    ThreadTimes before = begin;
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(1);
        ThreadTimes now = ThreadTimes.of(pid);
        // A compiler's thread that has ended takes its past with it.
        bySecond.add(Math.max(0, seconds(now.since(before), COMPILERS)));
        before = now;
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private static double seconds(ThreadTimes times, String threads) {
    return times.of(threads).run() / 1e9;
  }

  /** Seconds of the compilers until ready. */
  double untilReady() {
    return untilReady;
  }

  /** Seconds of the whole server until ready. */
  double allUntilReady() {
    return allUntilReady;
  }

  /** Seconds of the compilers in each second of the load; read when it has ended. */
  List<Double> bySecond() {
    return List.copyOf(bySecond);
  }
}
