package gilmok.sinks;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A sink whose verdicts a test sets, and which records all calls. */
final class ScriptedSink implements Sink {
  /** Decides the verdict on a batch. */
  interface Script {
    Verdict answer(Batch batch) throws InterruptedException;
  }

  private final boolean ordered;
  private final Deque<Script> scripts = new ArrayDeque<>();
  private final List<List<Long>> sent = new ArrayList<>();
  private Script usual = ScriptedSink::done;
  private Function<Boolean, @Nullable Verdict> release = now -> null;
  private final List<Batch> prepared = new ArrayList<>();
  private Script preparing = ScriptedSink::done;
  private int discards;
  private int sentBefore;
  private int closes;

  ScriptedSink(boolean ordered) {
    this.ordered = ordered;
  }

  /** The verdict that all of a batch was kept. */
  static Verdict.Done done(Batch batch) {
    return new Verdict.Done(counts(batch), "place");
  }

  /** The counts of a batch, by stream. */
  static StreamCounts counts(Batch batch) {
    StreamCounts counts = new StreamCounts();
    for (int i = 0; i < batch.size(); i++) {
      counts.add(batch.stream(i));
    }
    return counts;
  }

  static StreamCounts counts(Stream stream, long count) {
    StreamCounts counts = new StreamCounts();
    counts.add(stream, count);
    return counts;
  }

  static BitSet indexes(int... indexes) {
    BitSet set = new BitSet();
    for (int index : indexes) {
      set.set(index);
    }
    return set;
  }

  static List<Long> sequences(Batch batch) {
    List<Long> sequences = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      sequences.add(batch.sequence(i));
    }
    return sequences;
  }

  /** Adds the verdict of one send, after those added before. */
  synchronized ScriptedSink then(Script script) {
    scripts.add(script);
    return this;
  }

  /** Sets the verdict of each send for which none was added. */
  synchronized ScriptedSink usually(Script script) {
    usual = script;
    return this;
  }

  /** Sets the verdicts on what it holds, when that is released. */
  synchronized ScriptedSink releases(Function<Boolean, @Nullable Verdict> answer) {
    release = answer;
    return this;
  }

  /** The sequences that it was sent, by batch. */
  synchronized List<List<Long>> sent() {
    return new ArrayList<>(sent);
  }

  /** The sequences that it was sent, in order. */
  List<Long> sequences() {
    return sent().stream().flatMap(List::stream).toList();
  }

  /** The sequences that it was sent since it last dropped what it held, each once, in order. */
  synchronized List<Long> sequencesAnew() {
    return sent.stream().skip(sentBefore).flatMap(List::stream).distinct().toList();
  }

  /** Sets what happens when a batch is prepared. */
  synchronized ScriptedSink prepares(Script script) {
    preparing = script;
    return this;
  }

  /** The batches that it was to prepare. */
  synchronized List<Batch> prepared() {
    return new ArrayList<>(prepared);
  }

  synchronized int discards() {
    return discards;
  }

  synchronized int closes() {
    return closes;
  }

  @Override
  public String kind() {
    return "scripted";
  }

  @Override
  public boolean isOrdered() {
    return ordered;
  }

  @Override
  public Verdict send(Batch batch) throws InterruptedException {
    Script script;
    synchronized (this) {
      sent.add(sequences(batch));
      script = scripts.isEmpty() ? usual : scripts.poll();
    }
    return script.answer(batch);
  }

  @Override
  public void prepare(Batch batch) {
    Script script;
    synchronized (this) {
      prepared.add(batch);
      script = preparing;
    }
    try {
      Verdict _ = script.answer(batch);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public @Nullable Verdict release(boolean now) {
    Function<Boolean, @Nullable Verdict> answer;
    synchronized (this) {
      answer = release;
    }
    return answer.apply(now);
  }

  @Override
  public synchronized void discard() {
    discards++;
    sentBefore = sent.size();
  }

  @Override
  public synchronized void close() {
    closes++;
  }
}
