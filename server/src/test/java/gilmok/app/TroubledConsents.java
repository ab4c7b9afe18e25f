package gilmok.app;

import gilmok.privacy.Consent;
import gilmok.privacy.ConsentStore;
import gilmok.privacy.RiderDigest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Consents that fail for requests when {@link Trouble} says so. What is read at the start does not:
 * without it nothing would be collected.
 */
record TroubledConsents(ConsentStore real, Trouble trouble) implements ConsentStore {
  @Override
  public void put(Consent consent, String pseudonym) throws IOException, InterruptedException {
    trouble.strike();
    real.put(consent, pseudonym);
  }

  @Override
  public @Nullable Consent find(String riderId) throws IOException, InterruptedException {
    trouble.strike();
    return real.find(riderId);
  }

  @Override
  public Page page(@Nullable String after) throws IOException, InterruptedException {
    return real.page(after);
  }

  @Override
  public Changes changes(long sinceMillis) throws IOException, InterruptedException {
    return real.changes(sinceMillis);
  }

  @Override
  public long newestMillis() throws IOException, InterruptedException {
    return real.newestMillis();
  }

  @Override
  public int erase(String riderId, String pseudonym, RiderDigest digest)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.erase(riderId, pseudonym, digest);
  }
}
