/**
 * The phones: the rider and the group of each, the dialect it speaks, and the commands that it gets
 * with its next answer.
 *
 * <p>All are in memory, so an event loop finds a phone's rider without waiting for anything. Where
 * they are kept, the documents decide: {@link gilmok.collect.devices.FileDevices} of one node in a
 * file of its data folder, {@link gilmok.collect.devices.SharedDevices} of all nodes in MongoDB.
 *
 * <h2>Shared devices</h2>
 *
 * <ul>
 *   <li><b>Read before anything is stored.</b> A phone that is tied is another rider than its own
 *       id. A position stored under a wrong rider stays wrong; one that a phone has to send again
 *       comes late. So until all devices were read once since the start, the node is not ready and
 *       phone apps are answered 503, which has them send again; records in our own format name
 *       their rider and are taken. Afterwards the last known ties hold while the database is away,
 *       as keys do. No copy in the data folder bridges a start without the database: nobody could
 *       say how old it is.
 *   <li><b>A change</b> is in the database before it is acknowledged; it sets only the fields it is
 *       about and raises the device's version. Of two readings of a device, the one with the higher
 *       version counts, in whatever order they come.
 *   <li><b>Other nodes</b> ask every 0.3 s what has changed since, by an indexed time that the
 *       database sets. Each question reaches two seconds back, as a change may become visible just
 *       after one with a later time. All devices are read again every ten minutes, a page with each
 *       question: for documents changed by hand, and for a primary whose clock is behind the last.
 *       Once a minute, as with missions, would be 100 pages a minute on each node.
 *   <li><b>A command is sent by one node.</b> Before it is in an answer, its sender takes hold of
 *       it for a minute by one atomic update, off the event loop and only if a command waits. What
 *       of it cannot be held goes on waiting, and the phone is answered without it: its records are
 *       stored. After the answer the command ends as {@code sent}, in the database a moment later.
 *       A node that dies in between leaves it held; after the minute it is sent again. So a command
 *       is sent at least once, as from a file: one that the operator sees as sent has been in an
 *       answer.
 *   <li><b>Clocks</b> of nodes count for two things only: how long a command is held and how long
 *       it waits. Nodes whose clocks differ by more than a minute could both send one.
 *   <li><b>Memory only:</b> what a phone spoke last, and when. Only the node that heard it knows.
 * </ul>
 */
@NullMarked
package gilmok.collect.devices;

import org.jspecify.annotations.NullMarked;
