package gilmok.erasure;

import gilmok.config.Settings;

/**
 * The settings of erasures. Immutable.
 *
 * @param documentsBytesMax up to which size SQLite's file is written anew at the end of an erasure,
 *     while writes wait for it
 */
public record ErasureConfig(long documentsBytesMax) {
  /** Reads the keys {@code erasure.*}. */
  public static ErasureConfig from(Settings settings) {
    return new ErasureConfig(settings.bytes("erasure.documents-bytes-max", "1 GiB", 0, 1L << 44));
  }
}
