package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.cli.FakeServer.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class PosterTest {
  private final Rests rests = new Rests();
  private final ReplayTally tally = new ReplayTally();

  @Test
  void post_retryAfter_isWaitedFor() throws IOException, InterruptedException {
    AtomicInteger refusals = new AtomicInteger(1);
    try (FakeServer server =
        new FakeServer(
            request ->
                refusals.getAndDecrement() > 0
                    ? new Answer(503, Map.of("Retry-After", "7"), "")
                    : FakeServer.taken(request))) {
      post(server);
    }
    assertThat(rests.millis).hasSize(1);
    assertThat(rests.millis.getFirst()).isBetween(7000L, 7700L);
    assertThat(tally.acknowledged()).isEqualTo(1);
  }

  @Test
  void post_withoutRetryAfter_waitsLongerEachTimeWithinPatience() throws IOException {
    try (FakeServer server = new FakeServer(request -> new Answer(503, ""))) {
      assertThatThrownBy(() -> post(server))
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("gave up at line 1 after 60 s");
    }
    for (int i = 0; i < rests.millis.size(); i++) {
      long most = Math.min(5000, 100L << i);
      assertThat(rests.millis.get(i)).isBetween(most / 2, most);
    }
    assertThat(rests.now).isBetween(TimeUnit.SECONDS.toNanos(55), TimeUnit.SECONDS.toNanos(60));
  }

  @Test
  void post_stoppedWhileWaiting_returnsUnacknowledged() throws IOException, InterruptedException {
    rests.stopped = true;
    try (FakeServer server = new FakeServer(request -> new Answer(503, ""))) {
      post(server);
      assertThat(server.asked()).hasSize(1);
    }
    assertThat(tally.acknowledged()).isZero();
  }

  private void post(FakeServer server) throws InterruptedException {
    String json = "{\"riderId\":\"r\"}";
    try (HttpClient client = HttpClient.newHttpClient()) {
      Target target = new Target(URI.create(server.url()), "key", "from --key", null);
      new Poster(
              new RetryingSender(
                  client,
                  target,
                  Duration.ofSeconds(60),
                  rests,
                  new Random(1),
                  tally::retried,
                  notice -> {}),
              tally)
          .post(new UploadBatch(List.of(new RecordingEntry(1, "/v1/traces", "r", 1, json))));
      client.shutdownNow();
    }
  }

  /** A clock that only {@link #rest} moves on, so that the test does not wait. */
  private static final class Rests implements Watch {
    private final List<Long> millis = new ArrayList<>();
    private long now;
    private boolean stopped;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public boolean rest(long nanos) {
      millis.add(TimeUnit.NANOSECONDS.toMillis(nanos));
      now += nanos;
      return !stopped;
    }

    @Override
    public boolean isStopped() {
      return stopped;
    }
  }
}
