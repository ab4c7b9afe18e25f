package gilmok.sinks;

import java.io.IOException;

/** Writes a sink's receipts. Owned by the thread that settles. */
public interface ReceiptBook {
  /** Adds a receipt; it is not durable yet. */
  void write(Receipt receipt) throws IOException;

  /** Makes the added receipts durable; always called before the cursor passes their records. */
  void force() throws IOException;
}
