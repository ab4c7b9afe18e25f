package gilmok.lab.torture;

import gilmok.lab.LabClient;
import gilmok.lab.Reply;
import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/**
 * A client of the server with a bounded wait for each response. While no fault is active, an
 * exceeded wait is a finding. Thread-safe; blocks.
 */
final class Caller implements AutoCloseable {
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(8);

  private final LabClient client;
  private final String key;
  private final Duration answerWait;
  private final Duration refusedPause;
  private final Violations findings;
  private volatile boolean isWell;

  /**
   * A client of a server.
   *
   * @param refusedPause how long it waits after a temporary refusal, as clients do
   */
  Caller(String url, String key, Duration refusedPause, Violations findings) {
    this(url, key, refusedPause, ANSWER_WAIT, findings);
  }

  Caller(String url, String key, Duration refusedPause, Duration answerWait, Violations findings) {
    this.client = new LabClient(url, "", answerWait);
    this.answerWait = answerWait;
    this.key = key;
    this.refusedPause = refusedPause;
    this.findings = findings;
  }

  /** Sets whether no fault is active: requests sent from now on must then be answered in time. */
  void well(boolean is) {
    isWell = is;
  }

  Reply get(String path) throws IOException, InterruptedException {
    return send("GET", path, "", "X-Api-Key", key);
  }

  Reply post(String path, String body, String... headers) throws IOException, InterruptedException {
    String[] all = new String[headers.length + 2];
    System.arraycopy(headers, 0, all, 0, headers.length);
    all[headers.length] = "X-Api-Key";
    all[headers.length + 1] = key;
    return send("POST", path, body, all);
  }

  Reply put(String path, String body) throws IOException, InterruptedException {
    return send("PUT", path, body, "X-Api-Key", key);
  }

  Reply delete(String path) throws IOException, InterruptedException {
    return send("DELETE", path, "", "X-Api-Key", key);
  }

  /** Sends a request with exactly these headers: names and values in turn. */
  Reply send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    boolean wasWell = isWell;
    Reply reply;
    try {
      reply = client.send(method, path, body, headers);
    } catch (HttpConnectTimeoutException full) {
      throw full;
    } catch (HttpTimeoutException none) {
      if (wasWell) {
        findings.add(
            "a request was not answered in %d s: %s %s"
                .formatted(answerWait.toSeconds(), method, path));
      }
      throw none;
    }
    if (reply.status() >= 500 || reply.status() == 429) {
      Thread.sleep(refusedPause);
    }
    return reply;
  }

  @Override
  public void close() {
    client.close();
  }
}
