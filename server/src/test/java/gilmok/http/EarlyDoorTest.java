package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Denial;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A listener that is open before the features that it serves have started. */
@Tag("server")
final class EarlyDoorTest {
  @Test
  void warm_refusesAllButHealth_onKeptConnectionsToo() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      edge.listener.warm(true);
      assertThat(wire.get("/health/live").read().status()).isEqualTo(200);
      for (String path : new String[] {"/query?q=a", "/nowhere"}) {
        Wire.Answer refused = wire.get(path).read();
        assertThat(refused.status()).as(path).isEqualTo(503);
        assertThat(refused.text()).contains("warming");
        assertThat(Integer.parseInt(refused.header("retry-after"))).isPositive();
      }
      edge.listener.warm(false);
      assertThat(wire.get("/query?q=a").read().text()).isEqualTo("a");
      assertThat(wire.get("/nowhere").read().status()).isEqualTo(404);
    }
  }

  @Test
  void serve_takesTheOthersPlace_onKeptConnectionsToo() throws Exception {
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      List<Route> all = edge.listener.routes();
      Authenticator strict = (_, _, _, _) -> Denial.UNKNOWN;
      edge.listener.serve(HealthRoutes.health(edge.readiness, "2"), strict, true);
      assertThat(wire.get("/version").read().text()).contains("\"2\"");
      assertThat(wire.get("/query?q=a").read().status()).isEqualTo(503);

      edge.listener.serve(all, Edge::check, false);
      assertThat(edge.listener.routes()).isEqualTo(all);
      assertThat(wire.get("/query?q=a").read().text()).isEqualTo("a");
      assertThat(edge.isEmpty()).as("no room is held").isTrue();
    }
  }
}
