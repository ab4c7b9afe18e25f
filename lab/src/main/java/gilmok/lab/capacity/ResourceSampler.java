package gilmok.lab.capacity;

import gilmok.lab.ProcessorClock;
import gilmok.lab.load.LoadRun;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Recorder;

/**
 * Looks at the server, the machine and the load each second, until it is closed. What it costs is
 * in what it measures: one scrape a second, as Prometheus does each fifteen. Thread-safe.
 */
final class ResourceSampler implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final CapacityTarget target;
  private final long pid;
  private final long ownPid = ProcessHandle.current().pid();
  private final Recorder latencies = LoadRun.recorder();
  private final List<ResourceSample> samples = new ArrayList<>();
  private final Thread thread;

  /** A sampler that has begun. */
  ResourceSampler(CapacityTarget target) throws InterruptedException {
    this.target = target;
    this.pid = target.pid();
    look();
    thread = Thread.ofPlatform().daemon().name("capacity-sampler").start(this::run);
  }

  /** Where the load records the latencies of all good answers. */
  Recorder latencies() {
    return latencies;
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(EVERY);
        look();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks now. */
  private void look() throws InterruptedException {
    ResourceSample sample =
        new ResourceSample(
            System.nanoTime(),
            target.metrics(),
            ThreadTimes.of(pid),
            ThreadTimes.of(ownPid),
            MachineTimes.now(),
            nanos(pid),
            nanos(ownPid),
            latencies.getIntervalHistogram());
    synchronized (samples) {
      samples.add(sample);
    }
  }

  /** Processor time so far; 0 of a process that has ended or cannot be looked at. */
  private static long nanos(long pid) {
    try {
      return pid == 0 ? 0 : new ProcessorClock(pid).nanos();
    } catch (UncheckedIOException ended) {
      return 0;
    }
  }

  /** What was seen from a time on. */
  SampleSpan since(long fromNanos) {
    synchronized (samples) {
      return new SampleSpan(
          samples.stream().filter(sample -> sample.nanos() >= fromNanos).toList(),
          MachineTimes.processors(pid),
          MachineTimes.processors());
    }
  }

  /** What was seen in a span of time. */
  SampleSpan between(long fromNanos, long toNanos) {
    SampleSpan since = since(fromNanos);
    return new SampleSpan(
        since.samples().stream().filter(sample -> sample.nanos() <= toNanos).toList(),
        since.processors(),
        since.ofMachine());
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
