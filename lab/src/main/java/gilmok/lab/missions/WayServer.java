package gilmok.lab.missions;

import gilmok.auth.Denial;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.config.Settings;
import gilmok.http.Authenticator;
import gilmok.http.Exchange;
import gilmok.http.HttpConfig;
import gilmok.http.HttpListener;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A server of one {@link AnswerWay} behind this server's own HTTP edge, with its keys: {@code GET
 * /v1/riders/{id}/missions}, and the number of loads at {@code GET /lab/loads}. Pure computation
 * runs on the event loops, requests to Redis on virtual threads.
 */
final class WayServer implements AutoCloseable {
  private static final String JSON = "application/json";

  private final MadeUpMissions made;
  private final AnswerWay way;
  private final @Nullable KeptAnswers kept;
  private final HttpListener listener;

  /**
   * A server that does not listen yet.
   *
   * @param kept the kept values; null for a way that keeps nothing
   */
  WayServer(int port, String key, MadeUpMissions made, AnswerWay way, @Nullable KeptAnswers kept) {
    this.made = made;
    this.way = way;
    this.kept = kept;
    Map<String, String> settings =
        Map.of("http.host", "127.0.0.1", "http.port", "" + port, "http.compression", "off");
    Principal lab = new Principal("lab", "lab", Set.of(Scope.READ), null);
    Authenticator authenticator =
        (apiKey, authorization, parameter, session) -> key.equals(apiKey) ? lab : Denial.UNKNOWN;
    listener =
        new HttpListener(
            HttpConfig.from(new Settings(settings)),
            List.of(
                route("/v1/riders/{id}/missions", Scope.READ, this::missions),
                route("/lab/loads", null, this::loads)),
            authenticator);
  }

  private static Route route(String path, @Nullable Scope scope, Route.Handler handler) {
    OwnershipRule ownershipRule = scope == null ? OwnershipRule.OPEN : OwnershipRule.RIDER_IN_PATH;
    return new Route("GET", path, scope, ownershipRule, Priority.READS, 0, handler);
  }

  void start() throws IOException, InterruptedException {
    listener.start();
  }

  int port() {
    return listener.port();
  }

  private void loads(Exchange exchange) {
    byte[] text = ("" + (kept == null ? 0 : kept.loads())).getBytes(StandardCharsets.US_ASCII);
    exchange.reply(200, "text/plain", text);
  }

  private void missions(Exchange exchange) {
    int rider = MadeUpMissions.number(exchange.pathParameter("id"));
    KeptAnswers asked = kept;
    if (rider < 0 || rider >= made.riders()) {
      exchange.refuse(Refusal.NOT_FOUND);
    } else if (asked == null) {
      answer(exchange, rider, new byte[0]);
    } else {
      Thread.ofVirtual().start(() -> ask(exchange, rider, asked));
    }
  }

  private void ask(Exchange exchange, int rider, KeptAnswers asked) {
    try {
      answer(exchange, rider, asked.get(rider));
    } catch (IOException unavailable) {
      exchange.refuse(Refusal.BUSY);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(Exchange exchange, int rider, byte[] of) {
    try {
      byte[] packed = way.answer(made, rider, of);
      exchange.replyHeader("Content-Encoding", "gzip");
      exchange.reply(200, JSON, packed);
    } catch (IOException damaged) {
      exchange.refuse(Refusal.BROKEN);
    }
  }

  @Override
  public void close() {
    listener.close();
  }
}
