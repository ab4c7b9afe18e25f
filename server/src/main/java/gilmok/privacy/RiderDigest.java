package gilmok.privacy;

/**
 * 128 bits by which a rider's id is found without the id: SipHash-1-3 under a secret that belongs
 * to the pseudonyms. Nobody without the secret can tell whose it is.
 */
public record RiderDigest(long high, long low) {}
