package gilmok.collect;

import gilmok.collect.format.Format;
import gilmok.collect.format.FormatFiles;
import gilmok.config.Settings;
import java.util.List;

/**
 * The settings of collecting.
 *
 * @param bodyBytesMax the largest body, decompressed
 * @param ack whose acknowledgement makes a record count as accepted
 * @param formats the declared formats of the fleet's own apps
 */
public record CollectConfig(int bodyBytesMax, AckConfig ack, List<Format> formats) {
  public CollectConfig {
    formats = List.copyOf(formats);
  }

  /** The same, but this node's disk acknowledges. */
  public CollectConfig onDisk() {
    return new CollectConfig(bodyBytesMax, ack.onDisk(), formats);
  }

  /** Reads the keys {@code collect.*}. */
  public static CollectConfig from(Settings settings) {
    return new CollectConfig(
        (int) settings.bytes("collect.body-bytes-max", "4 MiB", 1 << 10, 4 << 20),
        AckConfig.from(settings),
        FormatFiles.from(settings));
  }
}
