package gilmok.cli;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A server to call.
 *
 * @param base its URL without a slash at the end
 * @param key what is sent as {@code X-Api-Key}
 * @param keyOrigin where the key was found, for messages
 * @param tls the certificates to trust; null for those that Java trusts
 */
record Target(URI base, String key, String keyOrigin, @Nullable SSLContext tls) {
  /** A client for its requests. */
  HttpClient client() {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5));
    return tls == null ? builder.build() : builder.sslContext(tls).build();
  }

  URI resolve(String path) {
    return URI.create(base + path);
  }

  /** The message when nobody listens there. */
  String isNotRunning() {
    return "no server answers at " + base + ": start it with ./gilmok serve, or name another --url";
  }

  /** The message when the server's certificate is not trusted. */
  String isNotTrusted(SSLException why) {
    return "no trust in the server at %s (%s): name the file of the CA that has signed its"
            .formatted(base, why.getMessage())
        + " certificate with --ca";
  }

  /** The message for an answer that is no success. */
  String refusal(int status, ServerProblem problem) {
    return switch (status) {
      case 401, 403 ->
          "the server does not take the key %s (%d: %s); is it a key of %s?"
              .formatted(keyOrigin, status, problem, base);
      case 404, 405 ->
          problem.field().equals("id")
              ? "there is no such thing on the server at " + base + ": " + problem.reason()
              : "%s (%d): is a Gilmok server at %s?".formatted(problem, status, base);
      default -> "the server answered %d: %s".formatted(status, problem);
    };
  }
}
