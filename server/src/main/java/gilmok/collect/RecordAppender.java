package gilmok.collect;

import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;

/**
 * Makes a draft durable and then calls its ticket. The node's log is one; others may follow ({@code
 * collect.ack}).
 */
@FunctionalInterface
public interface RecordAppender {
  /** Takes the draft, or says why not; never blocks. */
  AppendResult append(AppendBatch batch, AppendCompletion completion);
}
