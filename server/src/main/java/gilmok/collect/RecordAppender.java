package gilmok.collect;

import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;

/**
 * Makes a batch durable and then runs its completion. This node's log is one; others may follow
 * ({@code collect.ack}).
 */
@FunctionalInterface
public interface RecordAppender {
  /** Takes the batch, or returns why not; never blocks. */
  AppendResult append(AppendBatch batch, AppendCompletion completion);
}
