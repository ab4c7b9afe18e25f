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

/** A sink that answers as a test says, and remembers all that it was sent and told. */
final class ScriptedSink implements Sink {
  /** What became of a batch, by the test. */
  interface Script {
    Verdict answer(Batch batch) throws InterruptedException;
  }

  private final boolean ordered;
  private final Deque<Script> scripts = new ArrayDeque<>();
  private final List<List<Long>> sent = new ArrayList<>();
  private Script usual = ScriptedSink::done;
  private Function<Boolean, @Nullable Verdict> release = now -> null;
  private int discards;
  private int closes;

  ScriptedSink(boolean ordered) {
    this.ordered = ordered;
  }

  /** Says that it has kept all of a batch. */
  static Verdict.Done done(Batch batch) {
    return new Verdict.Done(counts(batch), "place");
  }

  /** What a batch holds, by stream. */
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

  /** How it answers once, after what was said before. */
  synchronized ScriptedSink then(Script script) {
    scripts.add(script);
    return this;
  }

  /** How it answers when nothing else is said. */
  synchronized ScriptedSink usually(Script script) {
    usual = script;
    return this;
  }

  /** How it answers when it is asked for what it holds. */
  synchronized ScriptedSink releases(Function<Boolean, @Nullable Verdict> answer) {
    release = answer;
    return this;
  }

  /** What it was sent, batch by batch. */
  synchronized List<List<Long>> sent() {
    return new ArrayList<>(sent);
  }

  /** What it was sent, one after the other. */
  List<Long> sequences() {
    return sent().stream().flatMap(List::stream).toList();
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
  }

  @Override
  public synchronized void close() {
    closes++;
  }
}
