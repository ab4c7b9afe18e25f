/**
 * What the stories tell of databases: inserts in parallel, lists of ids, a database that is far
 * away or gone, pools and batches. MongoDB's place is taken by SecantusDB, which is installed.
 */
@NullMarked
package gilmok.lab.story.database;

import org.jspecify.annotations.NullMarked;
