package gilmok.app;

import gilmok.collect.SecondTry;
import gilmok.ledger.Recollector;
import gilmok.log.AppendResult;
import gilmok.log.Stream;

/** Lets the account have records collected anew. */
final class SetAside implements Recollector {
  private final SecondTry collecting;

  SetAside(SecondTry collecting) {
    this.collecting = collecting;
  }

  @Override
  public Result collect(Stream stream, byte[] json) throws InterruptedException {
    return switch (collecting.collect(stream, json)) {
      case SecondTry.Stored stored -> new Stored(stored.sequence());
      case SecondTry.Repeated _ -> new Repeated();
      case SecondTry.Unusable unusable -> new Unusable(unusable.field(), unusable.reason());
      case SecondTry.NotTaken not -> new NotTaken(not.result() == AppendResult.FULL);
    };
  }
}
