import { basename, join } from 'node:path';
import type { Disk } from 'flydrive';
import { parseS3Url, type S3Address } from './s3-address.ts';

/**
 * Files under paths such as `logos/0199…/0199….webp`. Paths are created by the server, never by the caller of the API; the
 * library also rejects paths outside the folder or bucket.
 * All methods throw FileStoreFailure if the disk or the S3 server fails.
 */
export interface FileStore {
  /** Until it resolves, readers may find no file or a partial one: refer to a file only afterwards. */
  write: (path: string, bytes: Buffer) => Promise<void>;
  /** Undefined for a missing file. */
  read: (path: string) => Promise<Buffer | undefined>;
  /** Does nothing for a missing file. */
  remove: (path: string) => Promise<void>;
  /** Removes a folder with its content. */
  removeFolder: (folder: string) => Promise<void>;
  /** The files in a folder, without its subfolders. */
  list: (folder: string) => Promise<StoredFile[]>;
}

export interface StoredFile {
  name: string;
  bytes: number;
  /** ISO 8601. */
  updated_at: string;
}

/** The disk is full or missing, or the S3 server does not respond; `cause` is for the log only. */
export class FileStoreFailure extends Error {
  override name = 'FileStoreFailure';
}

/** Opens the files in DATA_DIR/files, or on an S3 server; the libraries are loaded on first use. */
export function createFileStore(config: { dataDir: string; s3Url: string | undefined }): FileStore {
  const s3 = config.s3Url === undefined ? undefined : parseS3Url(config.s3Url);
  let opening: Promise<Opened> | undefined;
  const open = () =>
    (opening ??= s3 === undefined ? openFolder(join(config.dataDir, 'files')) : openBucket(s3));

  const use = async <T>(work: (opened: Opened) => Promise<T>): Promise<T> => {
    try {
      return await work(await open());
    } catch (error) {
      throw new FileStoreFailure('The file store failed.', { cause: error });
    }
  };
  return {
    write: (path, bytes) => use(({ disk }) => disk.put(path, bytes)),
    read: (path) =>
      use(async ({ disk }) => {
        const bytes = await unlessMissing(disk.getBytes(path));
        return bytes === undefined ? undefined : Buffer.from(bytes);
      }),
    remove: (path) => use(({ disk }) => disk.delete(path)),
    removeFolder: (folder) => use(({ disk }) => disk.deleteAll(folder)),
    list: (folder) => use(({ list }) => list(folder)),
  };
}

interface Opened {
  disk: Disk;
  list: FileStore['list'];
}

async function openFolder(location: string): Promise<Opened> {
  const [{ Disk }, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')]);
  const disk = new Disk(new FSDriver({ location, visibility: 'private' }));
  return {
    disk,
    list: async (folder) => {
      const { objects } = await disk.listAll(folder);
      const files = await Promise.all(
        [...objects].map(async (file) => {
          const found = file.isFile ? await unlessMissing(file.getMetaData()) : undefined;
          return found === undefined
            ? []
            : [toStoredFile(file.name, found.contentLength, found.lastModified)];
        }),
      );
      return files.flat();
    },
  };
}

async function openBucket({ bucket, accessKeyId, secretAccessKey, ...place }: S3Address): Promise<Opened> {
  const [{ Disk }, { S3Driver }, { S3Client, ListObjectsV2Command }] = await Promise.all([
    import('flydrive'),
    import('flydrive/drivers/s3'),
    import('@aws-sdk/client-s3'),
  ]);
  const client = new S3Client({
    ...place,
    credentials: { accessKeyId, secretAccessKey },
    // Many S3-compatible servers support neither bucket names in the host name nor checksums other than MD5.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
    maxAttempts: 2,
  });
  return {
    disk: new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })),
    // The driver's own list omits the file sizes.
    list: async (folder) => {
      const found: StoredFile[] = [];
      const question = { Bucket: bucket, Prefix: `${folder}/`, Delimiter: '/' };
      for (let ContinuationToken: string | undefined; ;) {
        const page = await client.send(new ListObjectsV2Command({ ...question, ContinuationToken }));
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
          found.push(toStoredFile(basename(Key), Size, LastModified));
        ContinuationToken = page.NextContinuationToken;
        if (ContinuationToken === undefined) return found;
      }
    },
  };
}

const toStoredFile = (name: string, bytes: number, updatedAt: Date): StoredFile => ({
  name,
  bytes,
  updated_at: updatedAt.toISOString(),
});

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a file is missing: ENOENT on disk, several names on S3. A missing bucket does not count as a missing file. */
function isMissing(error: unknown): boolean {
  const cause =
    error instanceof Error ? (error.cause as { code?: string; name?: string } | undefined) : undefined;
  return cause?.code === 'ENOENT' || cause?.name === 'NoSuchKey' || cause?.name === 'NotFound';
}
