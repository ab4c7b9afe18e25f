package gilmok.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An issuer of tokens that answers badly: it drips, or gives no keys. */
@Tag("server")
class IssuerTest {
  private static final String EMPTY = "{\"keys\":[]}";

  private HttpServer server;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile String keys = "";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/drips", this::drip);
    server.createContext(
        "/keys", exchange -> answer(exchange, keys.getBytes(StandardCharsets.UTF_8)));
    server.createContext("/much", exchange -> answer(exchange, new byte[(1 << 20) + 1]));
    server.start();
  }

  @AfterEach
  void stop() {
    ended.countDown();
    server.stop(0);
  }

  private URI at(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private static void answer(HttpExchange exchange, byte[] body) throws IOException {
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** Answers at once, and goes on answering. */
  private void drip(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try {
      while (!ended.await(20, TimeUnit.MILLISECONDS)) {
        exchange.getResponseBody().write('x');
        exchange.getResponseBody().flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void ask_anAnswerThatDrips_endsInTime() {
    long began = System.nanoTime();
    assertThatThrownBy(
            () -> IssuerClient.ask(HttpRequest.newBuilder(at("/drips")), Duration.ofMillis(300)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has not answered all within 300 ms");
    assertThat(System.nanoTime() - began).isLessThan(8_000_000_000L);
  }

  @Test
  void get_moreThanIsRead_fails() {
    assertThatThrownBy(() -> IssuerClient.get(at("/much"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> IssuerClient.get(at("/none")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("answers 404");
  }

  @Test
  void keys_ofAnEmptySet_areThoseBefore() throws Exception {
    RSAKey rsa = new RSAKeyGenerator(2048).keyID("k").algorithm(JWSAlgorithm.RS256).generate();
    keys = new JWKSet(rsa).toString();
    JwtKeys known = new JwtKeys(at("/keys").toString(), Duration.ofMillis(1));
    known.await();
    assertThat(known.find("k", "RS256")).hasSize(1);
    for (String broken : List.of(EMPTY, "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AA\"}]}")) {
      keys = broken;
      for (int i = 0; i < 3; i++) { // the one that is under way may still have read the set before
        known.await();
        assertThat(known.find("k", "RS256")).as(broken).hasSize(1);
      }
      assertThat(known.isRead()).isTrue();
    }
    RSAKey next = new RSAKeyGenerator(2048).keyID("n").generate();
    keys = new JWKSet(next).toString();
    long until = System.nanoTime() + 20_000_000_000L;
    while (known.find("n", "RS256").isEmpty() && System.nanoTime() < until) {
      known.await();
    }
    assertThat(known.find("n", "RS256")).hasSize(1);
    assertThat(known.find("k", "RS256")).isEmpty();
    assertThat(known.find("n", "ES256")).isEmpty();
  }

  @Test
  void keys_thatAreTooShort_areNotUsed() throws Exception {
    RSAKey weak = new RSAKeyGenerator(1024, true).keyID("weak").generate();
    RSAKey good = new RSAKeyGenerator(2048).keyID("good").generate();
    keys = new JWKSet(List.of(weak, good)).toString();
    JwtKeys known = new JwtKeys(at("/keys").toString(), Duration.ofHours(1));
    known.await();
    assertThat(known.find("weak", "RS256")).isEmpty();
    assertThat(known.find("", "RS256")).extracting(JwtKeys.Key::id).containsExactly("good");
  }

  @Test
  void keys_neverRead_areNone() throws Exception {
    keys = EMPTY;
    JwtKeys none = new JwtKeys(at("/keys").toString(), Duration.ofHours(1));
    none.await();
    assertThat(none.isRead()).isFalse();
    assertThat(none.isPerhapsNew()).as("tokens are asked to come again").isTrue();
  }
}
