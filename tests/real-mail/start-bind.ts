import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Resolver } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../apps/server/src/testing/find-free-port.ts';
import { waitUntil } from '../../apps/server/src/testing/wait-until.ts';
import { environmentIn } from './programs.ts';

export interface Bind {
  port: number;
  /** An empty directory for the programs that use it, removed at the end. */
  directory: string;
  stop: () => Promise<void>;
}

/** Records of a zone as lines of its file, such as `www A 192.0.2.1`, by the name of the zone. */
export type Zones = Readonly<Record<string, readonly string[]>>;

/** A text record as a line of a zone file, cut into strings of at most 255 octets. */
export const textRecord = (name: string, value: string): string => {
  const parts = value.match(/.{1,255}/g) ?? [];
  return `${name} TXT ${parts.map((part) => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join(' ')}`;
};

/**
 * Starts BIND on a free port of this machine. It has authority for the zones, and for `test` above them; for other names it
 * answers SERVFAIL, because the only server that it may ask does not exist.
 */
export async function startBind(zones: Zones): Promise<Bind> {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-mail-'));
  const [port, nobody] = [await findFreePort(), await findFreePort()];
  const all: Zones = {
    test: ['ns A 127.0.0.1', ...Object.keys(zones).map((zone) => `${zone}. NS ns.test.`)],
    ...zones,
  };
  for (const [zone, records] of Object.entries(all))
    await writeFile(join(directory, `${zone}.zone`), zoneFile(records));
  const config = join(directory, 'named.conf');
  await writeFile(config, configFile(directory, { port, nobody, zones: Object.keys(all) }));
  const named = spawn('named', ['-g', '-n', '1', '-c', config], {
    cwd: directory,
    env: environmentIn(directory),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  named.stderr.setEncoding('utf8').on('data', (line: string) => (log += line));
  const exited = once(named, 'exit');
  // A test process that ends early leaves nothing behind.
  const killAtExit = () => named.kill('SIGKILL');
  process.once('exit', killAtExit);
  const stop = async () => {
    named.kill('SIGTERM');
    await exited;
    process.off('exit', killAtExit);
    await rm(directory, { recursive: true });
  };
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  try {
    await waitUntil('BIND answers', async () => {
      if (named.exitCode !== null) throw new Error(`BIND ended with ${named.exitCode}:\n${log}`);
      const answers = await Promise.allSettled(Object.keys(all).map((zone) => resolver.resolveSoa(zone)));
      return answers.every(({ status }) => status === 'fulfilled');
    });
  } catch (error) {
    await stop();
    throw new Error(`BIND does not answer:\n${log}`, { cause: error });
  }
  return { port, directory, stop };
}

const zoneFile = (records: readonly string[]): string => `$TTL 60
@ SOA ns.test. admin.test. 1 3600 600 86400 60
@ NS ns.test.
${records.join('\n')}
`;

interface Settings {
  port: number;
  /** A port at which no server listens. */
  nobody: number;
  zones: string[];
}

const configFile = (directory: string, { port, nobody, zones }: Settings): string => `
options {
  directory "${directory}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file none;
  session-keyfile none;
  recursion yes;
  forward only;
  forwarders { 127.0.0.1 port ${nobody}; };
  dnssec-validation no;
};
controls {};
${zones.map((zone) => `zone "${zone}" { type primary; file "${zone}.zone"; };`).join('\n')}
`;
