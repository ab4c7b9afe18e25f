package gilmok.ship.redis;

import gilmok.redis.Call;

/**
 * One command of a transfer.
 *
 * @param count of how many positions or riders it tells
 * @param bucket whose riders these are; {@link Transfer#NONE} for entries of the stream
 */
record Part(Call call, int count, int bucket) {}
