package gilmok.sinks.redis;

import gilmok.redis.RedisCall;

/**
 * One command of a transfer.
 *
 * @param count how many positions or riders it has
 * @param bucket the bucket of its riders; {@link RedisTransfer#NONE} for entries of the stream
 */
record TransferPart(RedisCall call, int count, int bucket) {}
