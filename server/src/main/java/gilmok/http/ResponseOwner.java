package gilmok.http;

/** The request that a response belongs to; it is notified of what becomes of the response. */
interface ResponseOwner {
  /** Gives back the room that the request took, unless this was done before. */
  void leaveRoom();

  /** A reply is there, but waits until the client has read others. */
  void answerWaits();

  /** A reply is there, but the client is gone. */
  void answerTooLate();

  /** A reply was sent. */
  void answerSent();

  /** The reply has ended. */
  void done();

  /** Aborts whatever is being sent. */
  void cut();

  /** Whether more of the body is still to come than is worth waiting for. */
  boolean isMuchToCome();
}
