package gilmok.sinks.redis;

import gilmok.redis.RedisCall;
import gilmok.redis.ScriptArguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * One batch as commands: for each bucket scripts with its riders' newest fixes, then scripts that
 * add to the stream; and which of them each record needs.
 *
 * <p>Not thread-safe: filled by {@link RedisEncoder}.
 */
final class RedisTransfer {
  /** A record needs no command of that sort. */
  static final int NONE = -1;

  private final List<TransferPart> moves = new ArrayList<>();
  private final List<TransferPart> additions = new ArrayList<>();
  private final List<ScriptArguments> written = new ArrayList<>();
  private final BitSet damaged = new BitSet();
  private final int[] moveOf;
  private final int[] additionOf;
  private final int[] placeOf;

  RedisTransfer(int records) {
    moveOf = new int[records];
    additionOf = new int[records];
    placeOf = new int[records];
    Arrays.fill(moveOf, NONE);
    Arrays.fill(additionOf, NONE);
  }

  void setDamaged(int i) {
    damaged.set(i);
  }

  void setMove(int i, int move) {
    moveOf[i] = move;
  }

  void setAddition(int i, int addition, int place) {
    additionOf[i] = addition;
    placeOf[i] = place;
  }

  /** The scripts that move riders. */
  List<TransferPart> moves() {
    return moves;
  }

  /** The scripts that add to the stream. */
  List<TransferPart> additions() {
    return additions;
  }

  /**
   * What to send. The moves first: whoever reads of a position in the stream finds it as the
   * rider's latest, or a newer one.
   */
  List<RedisCall> calls() {
    List<RedisCall> calls = new ArrayList<>(moves.size() + additions.size());
    moves.forEach(part -> calls.add(part.call()));
    additions.forEach(part -> calls.add(part.call()));
    return calls;
  }

  /** What the calls are written into. */
  List<ScriptArguments> written() {
    return written;
  }

  /** Records that are no events. */
  BitSet damaged() {
    return damaged;
  }

  /** Which of the {@link #moves} moves the record's rider; {@link #NONE} if none has to. */
  int moveOf(int i) {
    return moveOf[i];
  }

  /** Which of the {@link #additions} has the record; {@link #NONE} if it is in the stream. */
  int additionOf(int i) {
    return additionOf[i];
  }

  /** How many of the addition's entries come before the record's. */
  int placeOf(int i) {
    return placeOf[i];
  }
}
