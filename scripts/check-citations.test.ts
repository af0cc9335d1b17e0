import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findCitationProblems } from './check-citations.ts';
import { root } from './run-command.ts';

// Put together here, so that this file itself cites nothing that does not exist.
const rule = (number: number) => ['ABC', number].join('-');
const section = ['R12', '7'].join('.');
const page = (name: string) => [name, 'md'].join('.');

test('the repository cites only rules and pages that it has', () => {
  assert.equal(findCitationProblems(root).join('\n'), '');
});

test('citations that lead nowhere are found', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-citations-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const files = {
    [`docs/${page('rules')}`]: `- **${rule(1)}**: Explained and proven.\n- **${rule(2)}**: Explained, but proven by no test.\n`,
    [`docs/${page('guide')}`]: `See [rules](${page('rules')}), [more](${page('missing')}), https://example.com/${page('elsewhere')}`,
    'apps/a/good.ts': `// UTF-8, SHA-256: docs/${page('rules')}`,
    'apps/a/bad.ts': `// ${rule(3)} and ${section}: ${page('style')} section 7`,
    'apps/a/comment.ts': `// ${rule(1)}`,
    'apps/a/a.test.ts': `test('works (${rule(1)})')`,
    'db/one.sql': `-- ../docs/${page('rules')} ${rule(4)}`,
    'apps/a/dist/built.ts': `// ${rule(5)}`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }

  assert.deepEqual(findCitationProblems(directory), [
    `apps/a/bad.ts cites the rule ${rule(3)}, which no page in docs/ explains.`,
    `apps/a/bad.ts cites the rule ${section}, which no page in docs/ explains.`,
    `apps/a/bad.ts cites ${page('style')}, which does not exist.`,
    `apps/a/comment.ts cites the rule ${rule(1)} and proves nothing: state the reason instead.`,
    `db/one.sql cites the rule ${rule(4)}, which no page in docs/ explains.`,
    `docs/${page('guide')} cites ${page('missing')}, which does not exist.`,
    `No test cites ${rule(2)}.`,
  ]);
});
