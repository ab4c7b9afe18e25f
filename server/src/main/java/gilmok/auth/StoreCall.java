package gilmok.auth;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/** A call that waits for the documents. */
@FunctionalInterface
interface StoreCall<T> {
  /** Makes it; blocks. */
  T make() throws IOException, InterruptedException;

  /** Makes a call; an interrupt counts as one of the store's failures. */
  static <T> T await(StoreCall<T> call) throws IOException {
    try {
      return call.make();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the keys were asked for");
    }
  }

  /** Stores and removes keys; they are durable on return. */
  static void change(KeyStore store, List<StoredKey> put, List<String> removed) throws IOException {
    List<KeyStore.Kept> written = put.stream().map(KeyJson::write).toList();
    boolean _ =
        await(
            () -> {
              store.change(written, removed);
              return true;
            });
  }
}
