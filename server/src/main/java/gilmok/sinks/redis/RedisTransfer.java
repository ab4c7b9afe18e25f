package gilmok.sinks.redis;

import gilmok.redis.RedisCall;
import gilmok.redis.ScriptArguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * One batch as commands: for each bucket, scripts with its riders' newest fixes; then scripts that
 * add to the stream; and which of them each record needs.
 *
 * <p>Not thread-safe: filled by {@link RedisEncoder}.
 */
final class RedisTransfer {
  /** The record needs no command of this kind. */
  static final int NONE = -1;

  /** The scripts that move riders. */
  final List<TransferPart> moves = new ArrayList<>();

  /** The scripts that add to the stream. */
  final List<TransferPart> additions = new ArrayList<>();

  /** The buffers that hold the calls' arguments. */
  final List<ScriptArguments> written = new ArrayList<>();

  /** Records that are no events. */
  final BitSet damaged = new BitSet();

  /** For each record, which of the {@link #moves} has its rider; {@link #NONE} if none needs to. */
  final int[] moveOf;

  /**
   * For each record, which of the {@link #additions} has it; {@link #NONE} if it is in the stream
   * already.
   */
  final int[] additionOf;

  /** For each record, how many entries of its addition come before it. */
  final int[] placeOf;

  RedisTransfer(int records) {
    moveOf = new int[records];
    additionOf = new int[records];
    placeOf = new int[records];
    Arrays.fill(moveOf, NONE);
    Arrays.fill(additionOf, NONE);
  }

  /**
   * The calls to send. The moves come first: a reader that sees a position in the stream then finds
   * it, or a newer one, as the rider's latest.
   */
  List<RedisCall> calls() {
    return Stream.concat(moves.stream(), additions.stream()).map(TransferPart::call).toList();
  }
}
