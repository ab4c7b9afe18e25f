package gilmok.lab.story;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.LabClient;
import gilmok.lab.Servers;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way answers as its story tells. */
@Tag("server")
final class StoryWayTest {
  @ParameterizedTest
  @EnumSource
  void phone_isAnswered_orRefused(StoryWay way) throws Exception {
    int port = Servers.freePort();
    Vertx vertx = Vertx.vertx();
    try (LabClient phone = new LabClient("http://127.0.0.1:" + port, "", Duration.ofSeconds(20))) {
      StoryServerCommand.listen(vertx, port, way.make(vertx, Servers.freePort()));

      boolean isRefused =
          switch (way) {
            case REFUSE_THROWING, REFUSE_BY_VALUE, DOWN_IN_REQUEST -> true;
            default -> false;
          };
      assertThat(phone.get("/phone").status()).isEqualTo(isRefused ? 503 : 200);
    } finally {
      vertx.close().await();
    }
  }
}
