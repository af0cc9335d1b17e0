import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bind } from './start-bind.ts';
import { run, type Ended } from './programs.ts';

export interface OpenDkim {
  /** Verifies the first signature of a message. */
  verify: (message: Buffer) => Promise<Ended>;
  /** Compares a private key with its record in DNS. */
  testKey: (domain: string, selector: string, privateKey: string) => Promise<Ended>;
}

/** OpenDKIM asks libunbound, which ignores the resolver of the machine and does not ask `test` or loopback by itself. */
export async function openDkim({ port, directory }: Bind): Promise<OpenDkim> {
  const inDirectory = (name: string) => join(directory, name);
  const config = inDirectory('opendkim.conf');
  await writeFile(
    inDirectory('unbound.conf'),
    `server:
  do-not-query-localhost: no
  module-config: "iterator"
  local-zone: "test." nodefault
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@${port}
`,
  );
  await writeFile(config, `ResolverConfiguration ${inDirectory('unbound.conf')}\nMode v\nUMask 002\n`);
  return {
    verify: async (message) => {
      const file = inDirectory('message.eml');
      await writeFile(file, message);
      return await run('opendkim', ['-t', file, '-x', config, '-v'], directory);
    },
    testKey: async (domain, selector, privateKey) => {
      const file = inDirectory('key.pem');
      await writeFile(file, privateKey, { mode: 0o600 });
      return await run(
        'opendkim-testkey',
        ['-x', config, '-d', domain, '-s', selector, '-k', file, '-v'],
        directory,
      );
    },
  };
}
