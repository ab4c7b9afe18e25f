package gilmok.compress;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads that compress the same fragments at once, while one closes the compressor. */
@Tag("unit")
@Tag("soak")
class SmallFragmentCompressorRace {
  private static final int THREADS = 8;
  private static final int ROUNDS = Seeds.share(200);
  private static final int KEPT_MOST = 2;

  private interface Each {
    void run(int thread) throws Exception;
  }

  @Test
  void pieceSharedByThreads_isWhatOneWouldMake() throws Exception {
    MadeUpMissions missions = new MadeUpMissions(5);
    try (SmallFragmentCompressor smallFragmentCompressor =
        new SmallFragmentCompressor(1, KEPT_MOST)) {
      for (int round = 0; round < ROUNDS; round++) {
        byte[] plain = missions.tail(40, 25);
        Fragment fragment = Fragment.later(plain, smallFragmentCompressor);
        ComposedBody body = ComposedBody.of(fragment);
        Fragment alone = Fragment.of(plain, 1);
        together(
            thread -> {
              boolean isGzip = thread % 2 == 0;
              List<byte[]> parts = isGzip ? body.gzip() : body.zstd();
              byte[] decoded = isGzip ? Decoded.gzip(parts) : Decoded.zstd(parts);
              assertThat(decoded).isEqualTo(plain);
              assertThat(fragment.hash()).isEqualTo(alone.hash());
            });
        assertThat(fragment.deflated()).isEqualTo(alone.deflated()).isSameAs(fragment.deflated());
        assertThat(fragment.zstd()).isEqualTo(alone.zstd()).isSameAs(fragment.zstd());
        assertThat(smallFragmentCompressor.kept()).isBetween(1, KEPT_MOST);
      }
    }
  }

  @Test
  void closedMeanwhile_compressesAndKeepsNothing() throws Exception {
    byte[] plain = new MadeUpMissions(6).tail(40, 25);
    for (int round = 0; round < ROUNDS; round++) {
      SmallFragmentCompressor smallFragmentCompressor = new SmallFragmentCompressor(1, KEPT_MOST);
      together(
          thread -> {
            if (thread == 0) {
              smallFragmentCompressor.close();
            } else {
              assertThat(
                      Decoded.gzip(
                          ComposedBody.of(Fragment.later(plain, smallFragmentCompressor)).gzip()))
                  .isEqualTo(plain);
            }
          });
      assertThat(smallFragmentCompressor.kept()).isZero();
      assertThat(
              Decoded.zstd(ComposedBody.of(Fragment.later(plain, smallFragmentCompressor)).zstd()))
          .isEqualTo(plain);
      assertThat(smallFragmentCompressor.kept()).isZero();
    }
  }

  private static void together(Each each) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        all.add(
            threads.submit(
                () -> {
                  start.await();
                  each.run(thread);
                  return null;
                }));
      }
    }
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw new AssertionError(e.getCause());
      }
    }
  }
}
