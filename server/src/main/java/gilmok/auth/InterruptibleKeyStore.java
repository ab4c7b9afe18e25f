package gilmok.auth;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/** A store of keys as it is asked: being told to end meanwhile is one of its failures. */
record InterruptibleKeyStore(KeyStore store) {
  /** Something that waits for the documents. */
  private interface Question<T> {
    T ask() throws IOException, InterruptedException;
  }

  boolean isShared() {
    return store.isShared();
  }

  List<KeyStore.Kept> all() throws IOException {
    return ask(store::all);
  }

  long revision() throws IOException {
    return ask(store::revision);
  }

  void change(List<StoredKey> put, List<String> removed) throws IOException {
    List<KeyStore.Kept> written = put.stream().map(KeyJson::write).toList();
    boolean _ =
        ask(
            () -> {
              store.change(written, removed);
              return true;
            });
  }

  private static <T> T ask(Question<T> question) throws IOException {
    try {
      return question.ask();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the keys were asked for");
    }
  }
}
