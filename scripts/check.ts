import { runCommand } from './run-command.ts';

// npm run check: types, lint (with the layers), format, citations, migrations, owners of tables, erasure, words of the platform,
// wording of changed lines, packages, unused code. Runs all checks, even after a failure.

/** The first has everything that runs on Node.js, with one set of options, so that no file is checked twice. */
const projects = ['.', 'apps/web', 'packages/tracker'];

const steps: { name: string; command: string; args: string[] }[] = [
  ...projects.map((project) => ({
    name: `Types of ${project}`,
    command: 'tsc',
    args: ['--project', project],
  })),
  { name: 'Lint', command: 'oxlint', args: ['--deny-warnings', '--report-unused-disable-directives'] },
  { name: 'Format', command: 'oxfmt', args: ['--check'] },
  { name: 'Citations of rules and pages', command: 'node', args: ['scripts/check-citations.ts'] },
  { name: 'Migrations that landed', command: 'node', args: ['scripts/check-migrations.ts'] },
  { name: 'Owners of tables', command: 'node', args: ['scripts/check-table-owners.ts'] },
  { name: 'Reads of foreign tables', command: 'node', args: ['scripts/check-foreign-reads.ts'] },
  { name: 'Tables of what is erased', command: 'node', args: ['scripts/check-erasure.ts'] },
  { name: 'Words of the platform', command: 'node', args: ['scripts/check-platform-words.ts'] },
  { name: 'Wording of changed lines', command: 'node', args: ['scripts/check-wording.ts'] },
  { name: 'Packages', command: 'node', args: ['scripts/check-packages.ts'] },
  { name: 'Unused code and packages', command: 'knip', args: ['--no-progress'] },
];

/** A step takes about 20 s on an idle machine, and several minutes on a busy one. */
const stepLimitMs = 900_000;

const failures: string[] = [];
for (const { name, command, args } of steps) {
  console.log(`\n— ${name}: ${[command, ...args].join(' ')}`);
  const { problem, durationMs } = await runCommand(command, args, { timeoutMs: stepLimitMs });
  console.log(`  ${problem ?? 'fine'} (${(durationMs / 1000).toFixed(1)} s)`);
  if (problem !== undefined) failures.push(`${name}: ${command} ${problem}`);
}

console.log(failures.length === 0 ? '\nAll checks passed' : `\nFailed:\n  ${failures.join('\n  ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;
