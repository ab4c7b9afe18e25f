package gilmok.audit;

import gilmok.auth.Principal;
import gilmok.http.Exchange;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a change.
 *
 * @param keyId the id of the key, also where a session stands for it
 * @param keyName the key's name
 * @param address the client's address, behind trusted proxies the one that they name; null if
 *     unknown
 */
public record Actor(String keyId, String keyName, @Nullable String address) {
  /** The caller of a request; from its event loop. */
  public static Actor of(Exchange exchange) {
    Principal principal = exchange.principal();
    InetAddress address = exchange.clientAddress();
    return new Actor(
        principal.keyId(), principal.name(), address == null ? null : address.getHostAddress());
  }
}
