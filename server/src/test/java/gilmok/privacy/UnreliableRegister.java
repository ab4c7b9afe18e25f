package gilmok.privacy;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A store whose next answer can be lost, or which can fail before it does anything. */
final class UnreliableRegister implements RegisterStore {
  private final RegisterStore real;
  volatile boolean isAway;
  volatile boolean losesAnswer;
  volatile int mostRows;

  UnreliableRegister(RegisterStore real) {
    this.real = real;
  }

  @Override
  public void add(List<RegisterRow> rows, Map<String, String> names, List<RegisterRow> marks)
      throws IOException, InterruptedException {
    if (isAway) {
      throw new IOException("away");
    }
    real.add(rows, names, marks);
    mostRows = Math.max(mostRows, rows.size());
    if (losesAnswer) {
      losesAnswer = false;
      throw new IOException("the answer is lost");
    }
  }

  @Override
  public void put(List<RegisterRow> rows) throws IOException, InterruptedException {
    real.put(rows);
  }

  @Override
  public List<RegisterRow> page(Question question) throws IOException, InterruptedException {
    return real.page(question);
  }

  @Override
  public Map<String, String> names(Collection<String> pseudonyms)
      throws IOException, InterruptedException {
    return real.names(pseudonyms);
  }

  @Override
  public int forget(String pseudonym) throws IOException, InterruptedException {
    return real.forget(pseudonym);
  }

  @Override
  public int remove(String belowId) throws IOException, InterruptedException {
    return real.remove(belowId);
  }
}
