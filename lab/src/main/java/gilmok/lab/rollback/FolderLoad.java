package gilmok.lab.rollback;

import gilmok.lab.Subject;
import gilmok.lab.crash.Book;
import gilmok.lab.crash.Entry;
import gilmok.lab.crash.Letter;
import gilmok.lab.crash.Post;
import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/** Phones that send to one life's server, until it ends or they are told to. */
final class FolderLoad {
  private static final int PHONES = 8;
  private static final int AGAIN = 100;
  private static final int BUSY_TRIES_MAX = 200;
  private static final long END_WAIT_MILLIS = 60_000;

  private final Post post;
  private final Book book;
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Thread> phones = new ArrayList<>();

  FolderLoad(Subject server, String key, Book book, Violations violations) {
    this.book = book;
    this.post = new Post(server.url(), key, book, violations);
  }

  /**
   * Sends what was not acknowledged, and some of what was, which must be recognised: another
   * version's table of repeats is used.
   */
  void sendAgain(RandomGenerator random) throws IOException, InterruptedException {
    for (String stream : List.of("traces", "actions")) {
      List<Entry> missing = book.unacknowledged(stream);
      for (int i = 0; i < missing.size(); i += AGAIN) {
        send(Letter.again(missing.subList(i, Math.min(missing.size(), i + AGAIN))));
      }
      List<Entry> known = book.acknowledged(stream, AGAIN, random);
      if (!known.isEmpty()) {
        send(Letter.of(List.of(), known));
      }
    }
  }

  private void send(Letter letter) throws IOException, InterruptedException {
    for (int left = BUSY_TRIES_MAX; !post.send(letter); left--) {
      if (left == 0) {
        throw new IOException("a server that is ready has no room");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Begins to send new records, with some old ones among them. */
  void begin(RandomGenerator random) {
    for (int i = 0; i < PHONES; i++) {
      Random own = new Random(random.nextLong());
      phones.add(Thread.ofVirtual().start(() -> write(own)));
    }
  }

  private void write(RandomGenerator random) {
    try {
      while (!over.get()) {
        boolean hasRoom = post.send(Letter.chosen(book, random, 2, 30));
        TimeUnit.MILLISECONDS.sleep(hasRoom ? 5 : 50);
      }
    } catch (IOException ended) {
      // The server was ended: whether this letter is stored is found out by the next life.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it; call it when the server has ended, so that requests are cut. */
  void end() throws InterruptedException {
    over.set(true);
    for (Thread phone : phones) {
      phone.join(END_WAIT_MILLIS);
    }
    post.close();
  }
}
