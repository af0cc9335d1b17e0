import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The programs, with the Debian packages that have them. */
const packageOf = {
  named: 'bind9',
  opendkim: 'opendkim',
  'opendkim-testkey': 'opendkim-tools',
  spamassassin: 'spamassassin',
} as const;
/** Not installed for the tests, because it replaces the mail server of a machine. */
type Program = keyof typeof packageOf | 'postfix' | 'postconf' | 'saslpasswd2';

/** Debian has most of them where only root looks. */
const path = `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`;

/** Without these modules, SpamAssassin skips what they are for. */
const packageOfModule = { 'Mail::DKIM': 'libmail-dkim-perl', 'Mail::SPF': 'libmail-spf-perl' };

/** @returns the Debian packages of what is not installed */
export const listMissing = (): string[] => [
  ...Object.entries(packageOf).flatMap(([name, debianPackage]) => (isInstalled(name) ? [] : [debianPackage])),
  ...Object.entries(packageOfModule).flatMap(([name, debianPackage]) =>
    spawnSync('perl', [`-M${name}`, '-e1']).status === 0 ? [] : [debianPackage],
  ),
];

export const isInstalled = (name: string): boolean =>
  path.split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

export interface Ended {
  code: number | null;
  /** What it printed, also about errors. */
  output: string;
}

const limitMs = 60_000;

/** Runs a program to its end. It sees no settings of the user who runs it. @param home  its home directory */
export async function run(
  name: Program,
  args: string[],
  home: string,
  input: Buffer | string = '',
): Promise<Ended> {
  const child = spawn(name, args, { cwd: home, env: environmentIn(home), timeout: limitMs });
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, output: output + errors };
}

export const environmentIn = (home: string) => ({ PATH: path, HOME: home, LC_ALL: 'C.UTF-8' });
