package gilmok.lab.missions;

import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.Response;
import gilmok.lab.load.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workload that requests riders' missions in turn, again and again; bodies are only counted.
 * Owned by one lane's event loop.
 */
final class MissionRequests implements Workload, LoadExchange {
  private final List<byte[]> requests;
  private final int status;
  private final boolean isPacked;
  private int turn;
  private long bodyBytes;

  /**
   * A workload of requests.
   *
   * @param status the expected status
   * @param isPacked whether bodies must have a content coding
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

  /** The body length of the last response. */
  long bodyBytes() {
    return bodyBytes;
  }
}
