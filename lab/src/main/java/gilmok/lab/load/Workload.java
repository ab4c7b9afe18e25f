package gilmok.lab.load;

/** The exchanges of one lane, one after the other. Owned by the lane's event loop. */
@FunctionalInterface
public interface Workload {
  /** The next exchange: a new one, or the same again. */
  LoadExchange next();

  /** A new response object for a connection. */
  default Response response() {
    return new Response();
  }

  /** A workload of single requests, to be answered with 2xx. */
  static Workload of(LoadExchange requests) {
    return () -> requests;
  }

  /** A workload of single commands to a Redis. */
  static Workload ofRedis(LoadExchange commands) {
    return new Workload() {
      @Override
      public LoadExchange next() {
        return commands;
      }

      @Override
      public Response response() {
        return new RedisResponse();
      }
    };
  }
}
