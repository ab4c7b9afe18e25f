package gilmok.pieces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Threads that compress the same pieces at once, and one that closes what they do it with. */
class TailsRace {
  private static final int THREADS = 8;
  private static final int ROUNDS = 200;
  private static final int KEPT_MOST = 2;

  private interface Each {
    void run(int thread) throws Exception;
  }

  @Test
  void pieceSharedByThreads_isWhatOneWouldMake() throws Exception {
    MadeUpMissions missions = new MadeUpMissions(5);
    try (Tails tails = new Tails(1, KEPT_MOST)) {
      for (int round = 0; round < ROUNDS; round++) {
        byte[] plain = missions.tail(40, 25);
        Piece piece = tails.of(plain);
        Joined joined = Joined.of(piece);
        Piece alone = Piece.of(plain, 1);
        together(
            thread -> {
              boolean isGzip = thread % 2 == 0;
              List<byte[]> parts = isGzip ? joined.gzip() : joined.zstd();
              byte[] decoded = isGzip ? Decoded.gzip(parts) : Decoded.zstd(parts);
              assertThat(decoded).isEqualTo(plain);
              assertThat(piece.hash()).isEqualTo(alone.hash());
            });
        assertThat(piece.deflated()).isEqualTo(alone.deflated()).isSameAs(piece.deflated());
        assertThat(piece.zstd()).isEqualTo(alone.zstd()).isSameAs(piece.zstd());
        assertThat(tails.idle()).isBetween(1, KEPT_MOST);
      }
    }
  }

  @Test
  void closedMeanwhile_compressesAndKeepsNothing() throws Exception {
    byte[] plain = new MadeUpMissions(6).tail(40, 25);
    for (int round = 0; round < ROUNDS; round++) {
      Tails tails = new Tails(1, KEPT_MOST);
      together(
          thread -> {
            if (thread == 0) {
              tails.close();
            } else {
              assertThat(Decoded.gzip(Joined.of(tails.of(plain)).gzip())).isEqualTo(plain);
            }
          });
      assertThat(tails.idle()).isZero();
      assertThat(Decoded.zstd(Joined.of(tails.of(plain)).zstd())).isEqualTo(plain);
      assertThat(tails.idle()).isZero();
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
