/**
 * Values that are slow to load: one call guards every load. Whoever wants a key asks a {@link
 * gilmok.cache.SingleFlightCache}, and never the source.
 *
 * <h2>Constraints</h2>
 *
 * <ul>
 *   <li>A hit costs a look into a table, a look at the clock and a few compares: no lock, no object
 *       made, no call of Redis.
 *   <li>In a process at most one load of a key is under way, but for one that a {@code forget} has
 *       cut off. In a fleet with Redis there is one load for each expiry, as long as Redis answers
 *       and a load takes less than {@code leaseTimeout}.
 *   <li>Who asks after a {@code forget} returned, on the same node, is not answered with what was
 *       before, whatever Redis holds, and whether it answers or not. Other nodes follow within
 *       {@code ttl}, and {@code staleMax} more where nobody asked: what they keep is not deleted.
 *   <li>Redis can be away, slow or full of nonsense: then each process loads for itself, and nobody
 *       sees an error.
 *   <li>No clock is compared with another's: what goes over the wire are spans of time, counted
 *       from their arrival. So a value is fresh on another node for longer by the time that the
 *       answer took, at most {@code sharedTimeout}.
 *   <li>All is bounded: entries by bytes, loads and waiters by their number, what is known of
 *       failures by being entries, untrusted keys by a number, over which all are untrusted.
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
 * by chance). A refresh for which {@code loadsMax} leaves no room is left out, and tried by the
 * next who asks; a load for someone who waits is refused as busy.
 *
 * <p>Early by chance is XFetch: {@link gilmok.cache.CacheEntry#isEarly}. It gives one load for an
 * expiry, not two: the decision counts only while the entry it was made on is still the one that is
 * kept and no load is under way, which is looked at within one step of the table of flights.
 *
 * <h2>In Redis</h2>
 *
 * <table>
 * <caption>Keys; both are of one hash slot</caption>
 * <tr><th>Key</th><th>Bytes</th><th>Gone after</th></tr>
 * <tr><td>{@code <prefix>:<name>{:<key>}}</td><td>8 version, 4 delta (µs), the codec's</td><td>{@code ttl}</td></tr>
 * <tr><td>{@code <prefix>:<name>{:<key>}l}</td><td>8 token</td><td>{@code leaseTimeout}</td></tr>
 * </table>
 *
 * <p>The lease is that of Nishtala and others, Scaling Memcache at Facebook, NSDI 2013, 3.2.1. On a
 * miss or when a refresh is due, one script gets the value, or takes the lease. Who got the lease
 * loads, answers those who wait, and then stores the value by a script that looks whether the token
 * is still there, and takes it away. A {@code forget} deletes value and lease in one call, so what
 * a load brings that began before is never stored, by whichever process. Who did not get the lease
 * answers its old value on, if it has one, and asks again after 5 ms, doubled up to 50 ms, until
 * the value is there or {@code leaseTimeout} is over; then it loads for itself and stores nothing.
 *
 * <p>A refresh says which version is held and for how long that is fresh: only another version that
 * is fresh for longer is sent back, else the lease is tried. So a process that comes second takes
 * what the first loaded, and one that loaded alone does not step back.
 *
 * <p>A key that was forgotten is untrusted until Redis has acknowledged the deletion, or whatever
 * was loaded before can be fresh no more ({@code leaseTimeout} and {@code ttl}, and 5 s). Meanwhile
 * its loads do not ask for the value: they delete it and take the lease, whoever holds it. A Redis
 * that forgets what it acknowledged (a failover, a crash without {@code appendfsync always}) can
 * bring an old value back, for {@code ttl} at most.
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
