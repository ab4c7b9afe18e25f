package gilmok.deliveries;

import java.io.IOException;
import java.util.List;

/** Where deliveries are kept after the store. Blocks. */
@FunctionalInterface
public interface DeliveryArchive {
  /** Deliveries to archive, a page at a time. */
  @FunctionalInterface
  interface Pages {
    /** The next ones, by id; empty at the end. */
    List<StoredDelivery> next() throws IOException, InterruptedException;
  }

  /**
   * Keeps deliveries as one file of that name, in place of one that is there. On return it is
   * durable: its bytes, its name, and its line in the manifest.
   *
   * @throws IOException when it is not; then a file that was there may be there still
   */
  void write(String name, Pages pages) throws IOException, InterruptedException;
}
