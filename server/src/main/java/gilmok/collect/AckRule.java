package gilmok.collect;

import org.jspecify.annotations.Nullable;

/**
 * Whose acknowledgement an answer waits for: this node's disk, or a sink in its place.
 *
 * @param sink null for this node's disk
 * @param isElseDisk whether the disk counts when the sink does not acknowledge in time; if not, the
 *     request is refused
 */
public record AckRule(@Nullable AckSink sink, boolean isElseDisk) {
  /** This node's disk alone. */
  public static final AckRule DISK = new AckRule(null, false);

  /** What receipts call this node's disk. */
  static final String DISK_NAME = "disk";
}
