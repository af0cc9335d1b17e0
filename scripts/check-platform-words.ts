import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.ts';

// The lowest layer of server and web app is independent of the product's domain: none of these words may occur in its code
// or comments, except where a reason is given.

const server = 'apps/server/src/platform';
const web = 'apps/web/src/platform';
const notProduct = ['**/*.test.*', '**/*.gen.ts'];

// Clients of a protocol and sending a request are not domain words, so “client” and “send” only match in column names and
// in the plural; “sends them” is a verb.
const words =
  'brand|campaign|touchpoint|audience|contact|deliver(?:y|ies)|template|recipient|suppression|mailbox|organization|invitation|(?<!re)member|bounce(?!r)|unsubscribe|website|guest|clients(?![a-z])|sends(?![a-z]| (?:an?|it|the|them)\\b)';
const columns = 'client|send';
const domainWord = new RegExp(
  [`(?:${words})`, `\\b(?:${columns})_\\w+`, `\\b(?:${columns})(?:Id|Ids|Window)\\b`].join('|'),
  'gi',
);

/** Words that a file, or all files in a folder, may contain, with the reason. */
const allowed: readonly { path: string; words: readonly string[]; reason: string }[] = [
  {
    path: `${server}/database/`,
    words: ['organization'],
    reason: 'The tenant: each transaction carries it, and row-level security compares it.',
  },
  {
    path: `${server}/jobs/`,
    words: ['organization'],
    reason: 'The tenant: a job belongs to one, which has its share of the workers.',
  },
  {
    path: `${server}/secrets.ts`,
    words: ['organization'],
    reason: 'The tenant: a sealed text opens in the rows of its tenant only.',
  },
  {
    path: `${server}/config.ts`,
    words: [
      'bounce',
      'client_id',
      'client_secret',
      'clientid',
      'mailbox',
      'organization',
      'recipient',
      'send_in_flight_limit',
      'send_rates',
      'sends',
    ],
    reason: 'The settings of all modules come from one environment; clients are those of OAuth.',
  },
  {
    path: `${web}/`,
    words: ['organization'],
    reason: 'The tenant: paths and keys of queries begin with its id.',
  },
];

/** @returns one sentence for each domain word in a line of the platform */
export function findDomainWords(directory: string): string[] {
  const files = globSync(`{${server},${web}}/**/*.{ts,tsx}`, {
    cwd: directory,
    exclude: notProduct,
  }).toSorted();
  return files.flatMap((file) => {
    const fine = allowed.filter(({ path }) => file.startsWith(path)).flatMap((entry) => entry.words);
    const lines = readFileSync(join(directory, file), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      [...line.matchAll(domainWord)]
        .map(([word]) => word)
        .filter((word) => !fine.includes(word.toLowerCase()))
        .map((word) => `${file}:${index + 1} says “${word}”: the platform knows no such thing.`),
    );
  });
}

if (import.meta.main) {
  const problems = findDomainWords(root);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
