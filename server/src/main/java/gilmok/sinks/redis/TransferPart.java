package gilmok.sinks.redis;

import gilmok.redis.RedisCall;

/**
 * One command of a transfer.
 *
 * @param count of how many positions or riders it tells
 * @param bucket whose riders these are; {@link RedisTransfer#NONE} for entries of the stream
 */
record TransferPart(RedisCall call, int count, int bucket) {}
