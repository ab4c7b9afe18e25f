package gilmok.http;

import java.security.SecureRandom;

/** What is needed to know callers by their address: who may name them, and what they did wrong. */
record Callers(TrustedProxies proxies, WrongKeys wrongKeys) {
  static Callers of(HttpConfig config) {
    int wrongKeysRate = config.limits().wrongKeysRate();
    return new Callers(config.proxies(), new WrongKeys(wrongKeysRate, new SecureRandom()));
  }
}
