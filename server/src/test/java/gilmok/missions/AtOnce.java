package gilmok.missions;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The same work on several threads, which begin together. */
final class AtOnce {
  private AtOnce() {}

  /** Runs the work on that many threads, and returns what each has made. */
  static <T> List<T> run(int threads, Callable<T> work) throws Exception {
    CyclicBarrier begin = new CyclicBarrier(threads);
    List<Future<T>> all = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        all.add(
            executor.submit(
                () -> {
                  begin.await();
                  return work.call();
                }));
      }
    }
    List<T> results = new ArrayList<>();
    for (Future<T> one : all) {
      results.add(one.get());
    }
    return results;
  }
}
