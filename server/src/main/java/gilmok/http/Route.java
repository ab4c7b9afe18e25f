package gilmok.http;

import gilmok.auth.Scope;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the API: what is asked, who may ask it, how important it is, and who answers.
 *
 * @param method GET, POST, PUT or DELETE
 * @param path as in {@code /v1/riders/{id}/position}; it is also the route's name in metrics
 * @param scope what a key must have; null only with {@link OwnershipRule#OPEN}
 * @param bodyBytesMax the largest body, unpacked; 0 for a route that takes none
 */
public record Route(
    String method,
    String path,
    @Nullable Scope scope,
    OwnershipRule ownershipRule,
    Priority priority,
    int bodyBytesMax,
    Handler handler) {

  /** Whether its sender would send the same again for ever if it were refused. */
  boolean mayBeCut() {
    return ownershipRule == OwnershipRule.PHONE;
  }

  /** Answers requests. Called on an event loop: it must not block. */
  @FunctionalInterface
  public interface Handler {
    /** Answers now, or keeps the exchange and answers later, once, from any thread. */
    void handle(Exchange exchange);
  }
}
