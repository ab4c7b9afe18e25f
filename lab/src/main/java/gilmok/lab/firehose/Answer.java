package gilmok.lab.firehose;

/** An answer as the vendor's protocol, AWS JSON 1.1, has it. */
record Answer(int status, String body) {
  static final String SLOW_DOWN = "Slow down.";
  static final String UNAVAILABLE = "ServiceUnavailableException";

  static Answer of(String json) {
    return new Answer(200, json);
  }

  static Answer error(int status, String type, String message) {
    return new Answer(status, "{\"__type\":\"" + type + "\",\"message\":\"" + message + "\"}");
  }

  static Answer slowDown() {
    return error(503, UNAVAILABLE, SLOW_DOWN);
  }

  static Answer broken() {
    return error(500, "InternalFailure", "The request processing has failed.");
  }

  static Answer invalid(String message) {
    return error(400, "InvalidArgumentException", message);
  }
}
