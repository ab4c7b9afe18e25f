package gilmok.tee;

import gilmok.http.SentRequest;

/**
 * The room for requests on their way to the other server, waiting or being sent: bounded in bytes
 * and in number. Thread-safe.
 */
final class TeeRoom {
  private final long bytesMax;
  private final int requestsMax;
  private long bytes;
  private int requests;

  TeeRoom(long bytesMax, int requestsMax) {
    this.bytesMax = bytesMax;
    this.requestsMax = requestsMax;
  }

  /** Takes room for a request; false when there is not enough. */
  synchronized boolean enter(SentRequest sent) {
    if (requests == requestsMax || bytes + sent.bytes() > bytesMax) {
      return false;
    }
    requests++;
    bytes += sent.bytes();
    return true;
  }

  /** Gives its room back. */
  synchronized void leave(SentRequest sent) {
    requests--;
    bytes -= sent.bytes();
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized int requests() {
    return requests;
  }
}
