package gilmok.lab.load;

/** What one lane asks, one exchange after the other. Owned by the lane's event loop. */
@FunctionalInterface
public interface Workload {
  /** What is to be asked next: a new one, or the same again. */
  LoadExchange next();

  /** Room for the answers of one connection. */
  default Response response() {
    return new Response();
  }

  /** Requests of which each one stands for itself, and is answered by 2xx. */
  static Workload of(LoadExchange requests) {
    return () -> requests;
  }

  /** The same of commands to a Redis. */
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
