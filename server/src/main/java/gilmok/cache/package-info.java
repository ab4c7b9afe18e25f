/**
 * The cache of values that are slow to load. Callers ask a {@link gilmok.cache.SingleFlightCache}
 * and never the source, so that every load is guarded.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>A hit costs a table lookup, a clock reading and a few comparisons: no lock, no allocation,
 *       no call to Redis.
 *   <li>A process has at most one load of a key in flight, apart from loads that a {@code forget}
 *       has cut off. In a fleet with Redis there is one load for each expiry, as long as Redis
 *       answers and a load takes less than {@code leaseTimeout}.
 *   <li>After a {@code forget} has returned, no call on that node is answered with a value from
 *       before, whatever Redis holds and whether it answers or not. Other nodes are told in Redis
 *       and drop their own entries; without Redis they follow within {@code ttl}, plus {@code
 *       staleMax} for a key that nobody asked for.
 *   <li>Redis may be down, slow or hold damaged values: then each process loads for itself, and no
 *       caller sees an error.
 *   <li>Clocks of different nodes are never compared: only durations go over the wire, and count
 *       from their arrival. So a value stays fresh on another node for longer by the time that the
 *       answer took, at most {@code sharedTimeout}.
 *   <li>All memory is bounded: entries by bytes, loads and waiters by number. Failures are entries.
 *       The number of untrusted keys has a bound, above which all keys are untrusted.
 * </ul>
 *
 * <h2>The states of an entry</h2>
 *
 * <p>A value is <i>fresh</i> for {@code ttl} from its landing; <i>delta</i> is how long its load
 * took.
 *
 * <table>
 * <caption>What is answered, and what happens beside it</caption>
 * <tr><th>State</th><th>{@code now}</th><th>{@code get}</th><th>beside it</th></tr>
 * <tr><td>none</td><td>null</td><td>waits for the key's load, or begins it</td><td></td></tr>
 * <tr><td>fresh</td><td>the value</td><td>the value</td><td></td></tr>
 * <tr><td>fresh, and early by chance</td><td>the value</td><td>the value</td><td>a refresh</td></tr>
 * <tr><td>old, for up to {@code staleMax}</td><td>the value</td><td>the value</td><td>a refresh</td></tr>
 * <tr><td>old, and a load has failed: for {@code staleMax} from the failure, {@code staleIfError} in all</td><td>the value</td><td>the value</td><td>a refresh after the back-off</td></tr>
 * <tr><td>older</td><td>null</td><td>waits; the old value if the load fails and it is within {@code staleIfError}</td><td></td></tr>
 * <tr><td>failed, nothing before</td><td>null</td><td>failed, until the back-off is over; then as none</td><td></td></tr>
 * </table>
 *
 * <p>The back-off is 250 ms, doubled with each failure in a row up to 15 s (from half of it to all,
 * by chance). A refresh for which {@code loadsMax} leaves no room is skipped; the next caller tries
 * it again. A load that a caller would wait for is refused as busy.
 *
 * <p>Early by chance is XFetch: {@link gilmok.cache.CacheEntry#isEarly}. There is one load for an
 * expiry, not two: a decision counts only if its entry is still cached and no load is in flight.
 * Both are checked within one step of the table of flights.
 *
 * <h2>In Redis</h2>
 *
 * <table>
 * <caption>Keys; both are of one hash slot</caption>
 * <tr><th>Key</th><th>Bytes</th><th>Gone after</th></tr>
 * <tr><td>{@code <prefix>:<name>{:<key>}}</td><td>8 version, 4 delta (µs), the codec's</td><td>{@code ttl}</td></tr>
 * <tr><td>{@code <prefix>:<name>{:<key>}l}</td><td>8 token</td><td>{@code leaseTimeout}</td></tr>
 * <tr><td>{@code <prefix>:<name>-changes}</td><td>a stream of {@code by}, a process, and {@code key}</td><td>some 10,000 more</td></tr>
 * </table>
 *
 * <p>The lease is that of Nishtala and others, Scaling Memcache at Facebook, NSDI 2013, 3.2.1. On a
 * miss or a due refresh, one script gets the value or takes the lease. The process that got the
 * lease loads, answers its waiting callers, and then stores the value by a script that checks the
 * token and removes it. A {@code forget} deletes value and lease in one call, so no load that began
 * before it is stored, by whichever process. A process that did not get the lease goes on answering
 * its old value, if it has one. It asks again after 5 ms, doubled up to 50 ms, until the value is
 * there or {@code leaseTimeout} is over; then it loads for itself and stores nothing.
 *
 * <p>A refresh sends the version that is held and how long it stays fresh. Redis returns only
 * another version that is fresh for longer; else the script tries to take the lease. So a process
 * that comes second takes what the first loaded, and one that loaded alone does not go back to an
 * older value.
 *
 * <p>After the deletion is acknowledged, the forgotten key is added to the stream of changes, which
 * every process reads ({@link gilmok.cache.CacheChanges}): it drops its entry, and cuts off a load
 * that has begun. An entry without a key concerns all keys. The order matters: an entry that is
 * dropped before the shared value is gone would be loaded from it again. What could not be told is
 * told when Redis answers again, and each process that was without Redis drops everything once.
 *
 * <p>A forgotten key is untrusted until Redis has acknowledged the deletion, or until nothing
 * loaded before can be fresh any more (after {@code leaseTimeout} plus {@code ttl} plus 5 s).
 * Meanwhile its loads do not read the shared value: they delete it and take the lease, even from
 * another process. A Redis that forgets what it acknowledged (a failover, a crash without {@code
 * appendfsync always}) can bring an old value back, for {@code ttl} at most.
 *
 * <p>Bytes of a get that finds the value, for a value's key of k bytes (prefix, name, braces and
 * all) and a value of v that the codec made: 71 for the command, the script's hash and the number
 * of keys, {@code 2k + 15} for the keys, 24 for token and lease; {@code v + 33} come back. With k =
 * 32 and v = 200: 174 out, 233 back; 10,000 a second are 4.1 MB/s. The get of a refresh is 25 bytes
 * longer, and is answered with 4 if it got the lease.
 */
@NullMarked
package gilmok.cache;

import org.jspecify.annotations.NullMarked;
