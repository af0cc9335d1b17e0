import { basename, join } from 'node:path';
import type { Disk } from 'flydrive';
import { parseS3Url, type S3Address } from './s3-address.ts';

/**
 * Files under paths such as `logos/0199…/0199….webp`. Paths are made by the server, never by who asks; the library
 * below also rejects paths that lead out of the folder or bucket.
 * All methods throw FileStoreFailure when the disk or the S3 server does not do what it should.
 */
export interface FileStore {
  /** Until it resolves, anyone who reads may find nothing, or half of it: refer to a file only afterwards. */
  write: (path: string, bytes: Buffer) => Promise<void>;
  /** Undefined for a missing file. */
  read: (path: string) => Promise<Buffer | undefined>;
  /** Does nothing for a missing file. */
  remove: (path: string) => Promise<void>;
  /** Removes a folder with all that is in it. */
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

/** The disk is full or missing, or the S3 server does not respond; `cause` is for the log alone. */
export class FileStoreFailure extends Error {
  override name = 'FileStoreFailure';
}

/** Files in DATA_DIR/files, or on an S3 server; the libraries are read in with the first file. */
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
    // Many servers that speak S3 know neither the bucket as part of the host's name nor checksums that are no MD5.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
    maxAttempts: 2,
  });
  return {
    disk: new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })),
    // The driver's own list leaves out how large the files are.
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

/** ENOENT of the disk; S3 says it in several ways, and a missing bucket is no missing file. */
function isMissing(error: unknown): boolean {
  const cause =
    error instanceof Error ? (error.cause as { code?: string; name?: string } | undefined) : undefined;
  return cause?.code === 'ENOENT' || cause?.name === 'NoSuchKey' || cause?.name === 'NotFound';
}
