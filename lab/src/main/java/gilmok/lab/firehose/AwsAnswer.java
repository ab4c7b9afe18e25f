package gilmok.lab.firehose;

/** A response in the vendor's protocol, AWS JSON 1.1. */
record AwsAnswer(int status, String body) {
  static final String SLOW_DOWN = "Slow down.";
  static final String UNAVAILABLE = "ServiceUnavailableException";

  static AwsAnswer of(String json) {
    return new AwsAnswer(200, json);
  }

  static AwsAnswer error(int status, String type, String message) {
    return new AwsAnswer(status, "{\"__type\":\"" + type + "\",\"message\":\"" + message + "\"}");
  }

  static AwsAnswer slowDown() {
    return error(503, UNAVAILABLE, SLOW_DOWN);
  }

  static AwsAnswer broken() {
    return error(500, "InternalFailure", "The request processing has failed.");
  }

  static AwsAnswer invalid(String message) {
    return error(400, "InvalidArgumentException", message);
  }
}
