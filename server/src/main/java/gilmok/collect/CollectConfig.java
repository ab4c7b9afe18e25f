package gilmok.collect;

import gilmok.collect.format.Format;
import gilmok.collect.format.FormatFiles;
import gilmok.config.Settings;
import java.util.List;

/**
 * The settings of collecting.
 *
 * @param bodyBytesMax the largest body, decompressed
 * @param ack when a record counts as accepted
 * @param formats the declared formats of the fleet's own apps
 */
public record CollectConfig(int bodyBytesMax, Ack ack, List<Format> formats) {
  public CollectConfig {
    formats = List.copyOf(formats);
  }

  /** When a record counts as accepted. */
  public enum Ack {
    /** When this node's log has it on disk. */
    LOG
  }

  /** Reads the keys {@code collect.*}. */
  public static CollectConfig from(Settings settings) {
    return new CollectConfig(
        (int) settings.bytes("collect.body-bytes-max", "4 MiB", 1 << 10, 4 << 20),
        settings.choice("collect.ack", Ack.LOG),
        FormatFiles.from(settings));
  }
}
