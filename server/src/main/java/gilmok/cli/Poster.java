package gilmok.cli;

import java.net.http.HttpResponse;

/**
 * Sends a batch until the server has taken it or refused it, or until patience ends.
 *
 * <p>Safe for all threads.
 */
record Poster(RetryingSender sender, ReplayTally tally) {
  /**
   * Sends one batch and counts the answer in the tally. Returns without an answer only when
   * everything is to stop.
   *
   * @throws CommandFailure naming the lines that were refused, or saying that the server stayed
   *     away
   */
  void post(UploadBatch batch) throws InterruptedException {
    HttpResponse<byte[]> response =
        sender.post(batch.path(), "application/json", batch.body(), batch.where());
    if (response != null) {
      settle(batch, response);
    }
  }

  private void settle(UploadBatch batch, HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status / 100 != 2) {
      String refusal = sender.target().refusal(status, ServerProblem.of(response.body()));
      boolean ofTheBody = status == 400 || status == 413 || status == 422;
      throw new CommandFailure(ofTheBody ? batch.where() + ": " + refusal : refusal);
    }
    UploadReply reply = UploadReply.of(response.body(), batch.size());
    if (reply == null) {
      throw new CommandFailure(
          "%s: the answer is no account of %d records; is a Gilmok server at %s?"
              .formatted(batch.where(), batch.size(), sender.target().base()));
    }
    tally.answered(batch, reply);
  }
}
