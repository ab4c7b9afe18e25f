package gilmok.collect;

import gilmok.config.Settings;

/**
 * The settings of collecting.
 *
 * @param bodyBytesMax the largest body, decompressed
 * @param ack when a record counts as accepted
 */
public record CollectConfig(int bodyBytesMax, Ack ack) {
  /** When a record counts as accepted. */
  public enum Ack {
    /** When this node's log has it on disk. */
    LOG
  }

  /** Reads the keys {@code collect.*}. */
  public static CollectConfig from(Settings settings) {
    return new CollectConfig(
        (int) settings.bytes("collect.body-bytes-max", "4 MiB", 1 << 10, 4 << 20),
        settings.choice("collect.ack", Ack.LOG));
  }
}
