import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import { startS3Server, type S3Server } from '../../testing/s3-server.ts';
import { createFileStore, FileStoreFailure, type FileStore } from './file-store.ts';

for (const kind of ['a folder', 'S3'] as const) {
  suite(`files in ${kind}`, () => {
    let dataDir: string;
    let s3: S3Server;
    let files: FileStore;
    before(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'reachout-files-'));
      s3 = await startS3Server();
      files = createFileStore({ dataDir, s3Url: kind === 'S3' ? s3.url : undefined });
    });
    after(async () => {
      await s3.close();
      await rm(dataDir, { recursive: true });
    });
    beforeEach(() => files.removeFolder('logos'));

    test('files are returned unchanged until removed', async () => {
      const bytes = Buffer.from(Uint8Array.from({ length: 70_000 }, (_, index) => index % 251));
      await files.write('logos/one/a.webp', bytes);
      assert.deepEqual(await files.read('logos/one/a.webp'), bytes);
      assert.equal(await files.read('logos/one/b.webp'), undefined);
      await files.remove('logos/one/a.webp');
      await files.remove('logos/one/a.webp');
      assert.equal(await files.read('logos/one/a.webp'), undefined);
    });

    test('folders can be listed with sizes and removed', async () => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) await files.write(`logos/one/${name}`, Buffer.from(name));
      await files.write('logos/other/a', Buffer.from('other'));
      const listed = await files.list('logos/one');
      assert.deepEqual(listed.map(({ name, bytes }) => `${name}: ${bytes}`).toSorted(), [
        'a: 1',
        'b: 1',
        'c: 1',
        'd: 1',
        'e: 1',
      ]);
      for (const { updated_at } of listed) assert.match(updated_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      await files.removeFolder('logos/one');
      assert.deepEqual(await files.list('logos/one'), []);
      assert.equal((await files.list('logos/other')).length, 1);
    });

    test('paths cannot leave the store (UPL-2)', async () => {
      await writeFile(join(dataDir, 'secret'), 'secret');
      for (const path of [
        '../secret',
        'logos/../../secret',
        '/../secret',
        'logos/%2e%2e/x',
        'a\\..\\x',
        'a\0',
      ]) {
        await assert.rejects(files.read(path), FileStoreFailure, path);
        await assert.rejects(files.write(path, Buffer.from('x')), FileStoreFailure, path);
        await assert.rejects(files.remove(path), FileStoreFailure, path);
      }
    });
  });
}

test('S3 failures differ from missing files', async () => {
  const s3 = await startS3Server();
  const files = createFileStore({ dataDir: '', s3Url: s3.url });
  s3.isBroken = true;
  const asked = [
    () => files.read('a/b'),
    () => files.write('a/b', Buffer.from('x')),
    () => files.remove('a/b'),
    () => files.list('a'),
    () => files.removeFolder('a'),
  ];
  for (const ask of asked) await assert.rejects(ask, FileStoreFailure);
  s3.isBroken = false;
  const otherBucket = createFileStore({ dataDir: '', s3Url: s3.url.replace('/files', '/others') });
  await assert.rejects(otherBucket.read('a/b'), FileStoreFailure);
  await s3.close();
  await assert.rejects(files.read('a/b'), FileStoreFailure);
});
