package gilmok.sinks;

import java.io.IOException;

/** Where a sink's receipts are written. Owned by the thread that settles. */
public interface ReceiptBook {
  /** Notes a receipt; not yet durable. */
  void write(Receipt receipt) throws IOException;

  /** Makes durable what was noted; always before the cursor passes it. */
  void force() throws IOException;
}
