package gilmok.lab.story.database;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.Document;

/** How many documents are inserted: by how many writers, each with a connection, in what pieces. */
enum InsertWay {
  /** One after the other. */
  ONE_BY_ONE("one by one, 1 connection", 1, 1),
  /** As the story did: each document a piece of the queue, as many writers as connections. */
  PARALLEL("one by one, 8 connections, from a queue", 8, 1),
  /** Chunks, one after the other. */
  CHUNKS("in chunks of 100, 1 connection", 1, 100),
  /** As this server settles missions. */
  CHUNKS_IN_PARALLEL("in chunks of 100, 8 connections, from a queue", 8, 100);

  /** The most pieces that wait, as in the story: more would fill the memory. */
  static final int QUEUE_MAX = 10_000;

  private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

  /** Tells a writer that nothing follows. */
  private static final List<Document> END = List.of();

  private final String label;
  private final int writers;
  private final int pieceMax;

  InsertWay(String label, int writers, int pieceMax) {
    this.label = label;
    this.writers = writers;
    this.pieceMax = pieceMax;
  }

  /** Its name in reports. */
  String label() {
    return label;
  }

  /** How many connections it needs. */
  int writers() {
    return writers;
  }

  /** The commands for a number of documents. */
  int commands(int documents) {
    return (documents + pieceMax - 1) / pieceMax;
  }

  /**
   * Inserts documents; blocks until all are acknowledged.
   *
   * @param all at most as many as the queue holds
   */
  void insert(List<Document> all, MongoCollection<Document> into)
      throws IOException, InterruptedException {
    BlockingQueue<List<Document>> queue = new ArrayBlockingQueue<>(QUEUE_MAX + writers);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        ends.add(threads.submit(() -> write(queue, into)));
      }
      for (int from = 0; from < all.size(); from += pieceMax) {
        queue.put(all.subList(from, Math.min(all.size(), from + pieceMax)));
      }
      for (int i = 0; i < writers; i++) {
        queue.put(END);
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException("not inserted: " + failed.getCause(), failed);
    }
  }

  private static boolean write(BlockingQueue<List<Document>> queue, MongoCollection<Document> into)
      throws InterruptedException {
    for (List<Document> piece = queue.take(); !piece.isEmpty(); piece = queue.take()) {
      if (piece.size() == 1) {
        into.insertOne(piece.getFirst());
      } else {
        into.insertMany(piece, UNORDERED);
      }
    }
    return true;
  }
}
