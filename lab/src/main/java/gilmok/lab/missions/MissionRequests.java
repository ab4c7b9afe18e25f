package gilmok.lab.missions;

import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.Response;
import gilmok.lab.load.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Riders' missions asked for, one after the other and again from the first: their bodies are
 * counted and let go. Owned by one lane's event loop.
 */
final class MissionRequests implements Workload, LoadExchange {
  private final List<byte[]> requests;
  private final int status;
  private final boolean isPacked;
  private int turn;
  private long bodyBytes;

  /**
   * @param status the one that is no error
   * @param isPacked whether a body must come in a coding
   */
  MissionRequests(List<byte[]> requests, int status, boolean isPacked) {
    this.requests = requests;
    this.status = status;
    this.isPacked = isPacked;
  }

  @Override
  public LoadExchange next() {
    return this;
  }

  @Override
  public byte[] request() {
    byte[] request = requests.get(turn);
    turn = turn + 1 == requests.size() ? 0 : turn + 1;
    return request;
  }

  @Override
  public @Nullable String check(Response response) {
    bodyBytes = response.bodyBytes();
    if (response.status() != status) {
      return "status " + response.status();
    }
    return isPacked && !response.isPacked() ? "not packed" : null;
  }

  /** Of the last answer. */
  long bodyBytes() {
    return bodyBytes;
  }
}
