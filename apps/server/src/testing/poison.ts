import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

// Loaded before a worker (`--import`): messages to some recipients abort or block the process that builds them, as a
// runtime defect or an operator would.

/** Folder of the files that report progress; without it, only the first recipient below has an effect. */
const folder = process.env['TEST_POISON_FOLDER'];

const behaviors: Record<string, () => void> = {
  'user13@sink.example': () => process.abort(),
  ...(folder !== undefined && {
    'user11@sink.example': () => {
      writeFileSync(join(folder, 'pid'), String(process.pid));
      renameSync(join(folder, 'pid'), join(folder, 'waits'));
      while (!existsSync(join(folder, 'go-on')))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    },
    'user12@sink.example': () => {
      if (existsSync(join(folder, 'died'))) return;
      writeFileSync(join(folder, 'died'), '');
      process.abort();
    },
  }),
};

Object.assign(globalThis, { poison: (address: string) => behaviors[address]?.() });

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/delivery/worker/active-send.ts')) return loaded;
    const text =
      typeof loaded.source === 'string'
        ? loaded.source
        : new TextDecoder().decode(loaded.source ?? undefined);
    const source = text.replace(
      'send.renderer.build(',
      '(globalThis.poison(recipient.address), send.renderer).build(',
    );
    if (source === text) throw new Error('The place where messages are built was not found.');
    return { ...loaded, source };
  },
});
