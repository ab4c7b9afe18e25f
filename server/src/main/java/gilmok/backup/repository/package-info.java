/**
 * Where backups are kept: a folder, or a bucket of S3.
 *
 * <pre>
 * NODE/backups/20261127T031500Z.json  what one backup holds; .sealed in place of .json if encrypted
 * NODE/objects/ab/ab12...             a chunk of a file, at most 16 MiB, named by its content
 * </pre>
 *
 * <p>A chunk that is there already is not stored again, so a backup adds what is new: segments that
 * have ended since, and the parts of the documents that have changed. A chunk belongs to nobody
 * until a backup names it; the name of a backup is written last. So what is killed leaves chunks
 * that the next backup uses.
 *
 * <p>A chunk is compressed with zstd. Its name is the SHA-256 of the content. With a {@link
 * BackupKey} the name is the HMAC-SHA256 of that, and the compressed bytes are encrypted with
 * AES-256-GCM: 12 random bytes, the ciphertext, 16 bytes of tag; the object's name is authenticated
 * with it, so no object can take another's place.
 */
@NullMarked
package gilmok.backup.repository;

import org.jspecify.annotations.NullMarked;
