package gilmok.lab.missions;

/** An answer as it came. Immutable, if its body is left as it is. */
final class Answered {
  private final int status;
  private final byte[] body;
  private final String etag;
  private final String coding;

  /**
   * @param etag empty when there is none
   * @param coding the body's; {@code identity} when it has none
   */
  Answered(int status, byte[] body, String etag, String coding) {
    this.status = status;
    this.body = body;
    this.etag = etag;
    this.coding = coding;
  }

  int status() {
    return status;
  }

  byte[] body() {
    return body;
  }

  String etag() {
    return etag;
  }

  String coding() {
    return coding;
  }
}
