package gilmok.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.config.Settings;
import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.observe.Meters;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job's file is written by who asks and by who works; both are slow here at the wrong moment. */
@Tag("unit")
final class JobsTest {
  /** How long a write is held up for the other to come. */
  private static final long HELD_UP_MILLIS = 300;

  @TempDir Path data;
  private final FaultyDisk disk = new FaultyDisk(new FileDisk());
  private final BackgroundLoops loops = BackgroundLoops.unwatched();
  private final Meters meters = new Meters();
  private final CountDownLatch savedByLoop = new CountDownLatch(1);
  private Jobs jobs;

  /** A job of one part. */
  private final JobKind kind =
      new JobKind() {
        @Override
        public String name() {
          return "one";
        }

        @Override
        public int parts(String request) {
          return 1;
        }

        @Override
        public byte[] part(String request, int number) {
          return new byte[1];
        }

        @Override
        public byte[] json(String request, List<byte[]> parts) {
          return new byte[0];
        }

        @Override
        public byte[] csv(String request, List<byte[]> parts) {
          return new byte[0];
        }
      };

  @BeforeEach
  void start() throws Exception {
    InstantSource clock = InstantSource.system();
    Jobs.Means means = new Jobs.Means(data, disk, clock, new Random(1), loops, meters);
    jobs = new Jobs(JobsConfig.from(new Settings(Map.of())), List.of(kind), means);
    jobs.start();
  }

  @AfterEach
  void stop() throws Exception {
    jobs.drain(Duration.ofSeconds(5));
    meters.close();
  }

  /** Holds up who makes a job's file visible, on the loop's thread or on another, until that. */
  private void holdUp(boolean isLoop, CountDownLatch begun, CountDownLatch until) {
    disk.set(
        (operation, path) -> {
          boolean isOnLoop = Thread.currentThread().getName().equals("jobs");
          if (operation == Operation.RENAME && isOnLoop == isLoop && begun.getCount() > 0) {
            begun.countDown();
            try {
              boolean _ = until.await(HELD_UP_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException stopped) {
              throw new InterruptedIOException();
            }
          } else if (operation == Operation.FORCE_FOLDER && isOnLoop) {
            savedByLoop.countDown();
          }
        });
  }

  private void awaitDone(Jobs.Submission answer) throws Exception {
    String id = ((Jobs.Submission.Accepted) answer).id();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    for (Job job = jobs.find(id); job == null || job.end() == null; job = jobs.find(id)) {
      assertThat(System.nanoTime()).as("waited 20 s").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private BackgroundLoop loop() {
    return loops.all().getFirst();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(data.resolve("jobs"))) {
      return all.toList();
    }
  }

  /** Found bug: whoever asked beside load was answered 503, as the work took the half file. */
  @Test
  void slowToBecomeDurable_isNotWorkedOnBefore_andIsAccepted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    holdUp(false, begun, savedByLoop);
    Thread waking =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    begun.await();
                    loop().wake(); // as another job's end does
                  } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                  }
                });

    Jobs.Submission answer = jobs.submit(kind, "", "key");

    waking.join();
    awaitDone(answer);
    assertThat(loop().failures()).isZero();
  }

  /** Found bug: a job that was ended while its result was saved made the loop fail. */
  @Test
  void endedWhileItIsSaved_isGone_andTheLoopGoesOn() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    holdUp(true, begun, ended);
    String id = ((Jobs.Submission.Accepted) jobs.submit(kind, "", "key")).id();
    begun.await();

    assertThat(jobs.end(id)).isTrue();

    ended.countDown();
    awaitDone(jobs.submit(kind, "", "key"));
    assertThat(loop().failures()).isZero();
    jobs.drain(Duration.ofSeconds(5));
    assertThat(files()).hasSize(1).noneMatch(file -> file.toString().contains(id));
  }
}
