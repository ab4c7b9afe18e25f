package gilmok.lab.fleet;

/**
 * One HTTP request of a phone.
 *
 * @param path with its query
 * @param type the body's media type; empty without a body
 * @param header the header that carries the key
 * @param credential the value of that header
 * @param body empty if there is none
 */
record Message(
    String method, String path, String type, String header, String credential, String body) {}
