package gilmok.lab.fleet;

/**
 * One HTTP request of a phone.
 *
 * @param path with its query
 * @param type the body's media type; empty where there is no body
 * @param header the header that carries the key
 * @param credential what stands in it
 * @param body empty where there is none
 */
record Message(
    String method, String path, String type, String header, String credential, String body) {}
