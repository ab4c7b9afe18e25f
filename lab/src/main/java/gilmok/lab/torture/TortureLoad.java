package gilmok.lab.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * All clients of a server, each on a thread of its own, until they are stopped. They send some 250
 * requests with 2,000 records a second: enough that every kind of work is always in progress, and
 * so little that two processors can also run the rig and start a cold server.
 */
final class TortureLoad {
  private static final int PHONES = 4;
  private static final int AGENCIES = 4;
  private static final Duration END_WAIT = Duration.ofSeconds(60);

  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicLong turns = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private final Journal journal;

  private TortureLoad(Journal journal) {
    this.journal = journal;
  }

  /** Starts all clients. */
  static TortureLoad start(Caller caller, Journal journal, int port, SplittableRandom random) {
    TortureLoad load = new TortureLoad(journal);
    for (int i = 0; i < PHONES; i++) {
      load.add(new PositionsLane(caller, journal, random.split()), 15, random.split());
    }
    for (int i = 0; i < AGENCIES; i++) {
      load.add(new OrdersLane(caller, journal, random.split()), 30, random.split());
    }
    load.add(new EntriesLane(caller, journal, random.split()), 50, random.split());
    load.add(new PutsLane(caller, journal, random.split()), 40, random.split());
    load.add(new KeysLane(caller, journal, random.split()), 400, random.split());
    load.add(new ReadersLane(caller, journal, random.split()), 50, random.split());
    load.add(new ReadersLane(caller, journal, random.split()), 50, random.split());
    load.add(new PoisonLane(caller, journal), 150, random.split());
    load.add(new StreamLane(port), 100, random.split());
    return load;
  }

  private void add(Lane lane, int pauseMillis, RandomGenerator random) {
    threads.add(Thread.ofVirtual().start(() -> run(lane, pauseMillis, random)));
  }

  private void run(Lane lane, int pauseMillis, RandomGenerator random) {
    try {
      while (!isOver.get()) {
        turns.incrementAndGet();
        try {
          lane.turn();
        } catch (IOException expected) {
          // Findings are reported by the caller.
          TimeUnit.MILLISECONDS.sleep(50);
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(2 * pauseMillis) + 1L);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      journal.findings().add("the rig itself: " + lane.getClass().getSimpleName() + ": " + bug);
    }
  }

  /** The number of turns of all clients. */
  long turns() {
    return turns.get();
  }

  /** Stops the clients and waits for their requests. */
  void stop() throws InterruptedException {
    isOver.set(true);
    for (Thread thread : threads) {
      if (!thread.join(END_WAIT)) {
        journal.findings().add("a request is not answered, and not given up, in " + END_WAIT);
        thread.interrupt();
      }
    }
  }
}
