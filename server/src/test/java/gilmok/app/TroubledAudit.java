package gilmok.app;

import gilmok.audit.AuditStore;
import java.io.IOException;
import java.util.List;

/** The audit's documents, which fail for requests when {@link Trouble} says so. */
record TroubledAudit(AuditStore real, Trouble trouble) implements AuditStore {
  @Override
  public void put(List<AuditStore.Row> rows, long nowMillis)
      throws IOException, InterruptedException {
    trouble.strike();
    real.put(rows, nowMillis);
  }

  @Override
  public List<AuditStore.Row> page(AuditStore.Question question, long nowMillis)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.page(question, nowMillis);
  }
}
