package gilmok.sinks.redis;

import gilmok.redis.RedisCall;
import gilmok.redis.ScriptArguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * One batch as commands: for each bucket scripts with its riders' newest fixes, then scripts that
 * add to the stream; and which of them each record needs.
 *
 * <p>Not thread-safe: filled by {@link RedisEncoder}.
 */
final class RedisTransfer {
  /** A record needs no command of that sort. */
  static final int NONE = -1;

  /** The scripts that move riders. */
  final List<TransferPart> moves = new ArrayList<>();

  /** The scripts that add to the stream. */
  final List<TransferPart> additions = new ArrayList<>();

  /** What the calls are written into. */
  final List<ScriptArguments> written = new ArrayList<>();

  /** Records that are no events. */
  final BitSet damaged = new BitSet();

  /** Which of the {@link #moves} moves a record's rider; {@link #NONE} if none has to. */
  final int[] moveOf;

  /** Which of the {@link #additions} has a record; {@link #NONE} if it is in the stream. */
  final int[] additionOf;

  /** How many of the addition's entries come before a record's. */
  final int[] placeOf;

  RedisTransfer(int records) {
    moveOf = new int[records];
    additionOf = new int[records];
    placeOf = new int[records];
    Arrays.fill(moveOf, NONE);
    Arrays.fill(additionOf, NONE);
  }

  /**
   * What to send. The moves first: whoever reads of a position in the stream finds it as the
   * rider's latest, or a newer one.
   */
  List<RedisCall> calls() {
    return Stream.concat(moves.stream(), additions.stream()).map(TransferPart::call).toList();
  }
}
