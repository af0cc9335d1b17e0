import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { root } from './run-command.ts';

// Checks the hash, install script and license of every package in the lock file, then writes the software bill of
// materials. Neither needs the network.

interface LockedPackage {
  version?: string;
  integrity?: string;
  license?: string;
  /** True for a workspace. */
  link?: boolean;
  hasInstallScript?: boolean;
}

interface PackageList {
  /** `packages` of package-lock.json, by path. */
  locked: Readonly<Record<string, LockedPackage>>;
  /** From package.json: packages whose install scripts were reviewed, and whether the scripts are needed. */
  allowScripts: Readonly<Record<string, boolean>>;
}

/** Licenses that only require naming the authors or, for MPL and LGPL, publishing changes to the package itself. */
const allowedLicenses = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  // Data in the public domain.
  'PDDL-1.0',
  'Python-2.0',
  'Unlicense',
]);

/** Packages that do not state their license as an SPDX expression. */
const licenseOf: Readonly<Record<string, string>> = { slick: 'MIT' };

const billOfMaterials = join(root, 'dist', 'sbom.cdx.json');

/** @returns one sentence for each problem that has to be reviewed before the packages are used */
export function findPackageProblems({ locked, allowScripts }: PackageList): string[] {
  const packages = Object.entries(locked)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), ...entry }));
  const names = new Set(packages.map(({ name }) => name));
  return [
    ...packages.flatMap(({ name, integrity, hasInstallScript, license }) => {
      const terms = licenseOf[name] ?? license;
      return [
        ...(integrity === undefined ? [`${name} has no hash in package-lock.json.`] : []),
        ...(hasInstallScript === true && allowScripts[name] === undefined
          ? [`${name} has an install script: read it and list the package in allowScripts of package.json.`]
          : []),
        ...(terms === undefined || !isAllowed(terms)
          ? [`${name} has the license ${terms ?? '(none)'}, which scripts/check-packages.ts does not list.`]
          : []),
      ];
    }),
    ...Object.keys(allowScripts)
      .filter((name) => !names.has(name))
      .map((name) => `allowScripts of package.json lists ${name}, which is not installed.`),
  ];
}

/** Takes an SPDX expression without nested parentheses; one side of OR is enough. */
const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((side) => side.split(' AND ').every((license) => allowedLicenses.has(license)));

export function readPackageList(directory: string): PackageList {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(directory, name), 'utf8'));
  const { packages } = read('package-lock.json') as { packages: PackageList['locked'] };
  const { allowScripts } = read('package.json') as { allowScripts: PackageList['allowScripts'] };
  return { locked: packages, allowScripts };
}

/** Writes it in CycloneDX format, with the packages of all platforms; development packages are marked. */
async function writeBillOfMaterials(): Promise<void> {
  const npm = process.env['npm_execpath'];
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const { stdout } = await promisify(execFile)(
    npm === undefined ? 'npm' : process.execPath,
    npm === undefined ? args : [npm, ...args],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  await mkdir(dirname(billOfMaterials), { recursive: true });
  await writeFile(billOfMaterials, stdout);
  console.log(`  ${relative(root, billOfMaterials)} lists the packages with their versions and licenses`);
}

if (import.meta.main) {
  const problems = findPackageProblems(readPackageList(root));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
  // Without waiting at the top level, because the runner of the tests loads this file by require().
  void writeBillOfMaterials();
}
