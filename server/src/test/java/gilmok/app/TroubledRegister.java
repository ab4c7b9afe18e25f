package gilmok.app;

import gilmok.privacy.Privacy;
import gilmok.privacy.RegisterRow;
import gilmok.privacy.RegisterStore;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A register that fails for requests when {@link Trouble} says so; to be written, it fails when
 * that says so of the register alone, as each request that shows a location would fail there.
 */
record TroubledRegister(RegisterStore real, Trouble trouble) implements RegisterStore {
  /** The stores of consents and of the register, which fail for requests. */
  static Privacy.Stores of(Privacy.Stores own, Trouble trouble) {
    return new Privacy.Stores(
        new TroubledConsents(own.consents(), trouble),
        new TroubledRegister(own.register(), trouble),
        own.isShared());
  }

  @Override
  public void add(List<RegisterRow> rows, Map<String, String> names, List<RegisterRow> marks)
      throws IOException, InterruptedException {
    trouble.strikeRegister();
    real.add(rows, names, marks);
  }

  @Override
  public void put(List<RegisterRow> rows) throws IOException, InterruptedException {
    trouble.strikeRegister();
    real.put(rows);
  }

  @Override
  public List<RegisterRow> page(Question question) throws IOException, InterruptedException {
    trouble.strike();
    return real.page(question);
  }

  @Override
  public Map<String, String> names(Collection<String> pseudonyms)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.names(pseudonyms);
  }

  @Override
  public int forget(String pseudonym) throws IOException, InterruptedException {
    trouble.strike();
    return real.forget(pseudonym);
  }

  @Override
  public int remove(String belowId) throws IOException, InterruptedException {
    return real.remove(belowId);
  }
}
