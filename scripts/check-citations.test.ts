import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { findCitationProblems } from './check-citations.ts';
import { root } from './run-command.ts';

// Composed at run time, so that this file itself has no citations of nonexistent targets.
const rule = (number: number) => ['ABC', number].join('-');
const section = ['R12', '7'].join('.');
const numbered = (word: string, number: number | string) => [word, number].join(' ');
const page = (name: string) => [name, 'md'].join('.');

test('the repository cites only existing rules and pages', () => {
  assert.equal(findCitationProblems(root).join('\n'), '');
});

test('broken citations are found', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-citations-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const files = {
    [`docs/${page('rules')}`]: `- **${rule(1)}**: Explained and proven.\n- **${rule(2)}**: Explained, but proven by no test.\n`,
    [`docs/${page('guide')}`]: `See [rules](${page('rules')}), [more](${page('missing')}), https://example.com/${page('elsewhere')}`,
    'apps/a/good.ts': `// UTF-8, SHA-256: docs/${page('rules')}`,
    'apps/a/bad.ts': `// ${rule(3)} and ${section}: ${page('style')} ${numbered('section', 7)}`,
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
    `No title of a test cites ${rule(2)}.`,
  ]);
});

const problemsOf = async (t: TestContext, files: Record<string, string>): Promise<string[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'reachout-citations-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return findCitationProblems(directory);
};

test('missing documents are found, standards are ignored', async (t) => {
  const named = [
    ['The', 'specification'].join(' '),
    numbered('section', 4.2),
    numbered('sections', 3),
    numbered('issue', 12),
    numbered('issue', '#7'),
  ];
  const problems = await problemsOf(t, {
    'apps/a/bad.ts': `// ${named.join(', ')}`,
    'apps/a/good.ts': `// RFC 5321 ${numbered('section', 4.2)}, RFC 2047,\n * ${numbered('section', 2)}; ../../docs/${page('rules')} ${numbered('section', 3)}`,
    [`docs/${page('rules')}`]: '',
    '.ci/run': `# ${named[0]}`,
    'apps/a/package.json': `{ "description": "${rule(9)}" }`,
    '.ci/steps.yml': `# ${page('gone')}`,
  });
  assert.deepEqual(problems, [
    `.ci/run cites “${named[0]}”, which is not here.`,
    `.ci/steps.yml cites ${page('gone')}, which does not exist.`,
    ...named.map((words) => `apps/a/bad.ts cites “${words}”, which is not here.`),
    `apps/a/package.json cites the rule ${rule(9)}, which no page in docs/ explains.`,
  ]);
});

test('source files named in comments exist', async (t) => {
  const source = (name: string) => [name, 'ts'].join('.');
  const problems = await problemsOf(t, {
    [`apps/a/src/${source('one')}`]: [
      `// ${source('one')}, src/${source('one')}, ./${source('one')}, *.queries.ts, SUBJECT.ts`,
      `/** ${source('two')} */`,
      `const path = '${source('three')}'; // see ../${source('four')}`,
    ].join('\n'),
    'db/functions/one.sql': `-- ${source('five')}`,
    'db/migrations/0001_a.sql': `-- ${source('five')}`,
    [page('README')]:
      `apps/a/src/${source('one')}, db/functions/one.sql, ${source('six')}, db/migrations/0010_….sql`,
  });
  assert.deepEqual(problems, [
    `${page('README')} cites ${source('six')}, which does not exist.`,
    `apps/a/src/${source('one')} cites ${source('two')}, which does not exist.`,
    `apps/a/src/${source('one')} cites ../${source('four')}, which does not exist.`,
    `db/functions/one.sql cites ${source('five')}, which does not exist.`,
  ]);
});

test('names that a page says to be in a file are there', async (t) => {
  const source = ['one', 'ts'].join('.');
  const named = (name: string) => ['`', name, '` in `src/', source, '`'].join('');
  const problems = await problemsOf(t, {
    [`apps/a/src/${source}`]: 'export function startSend() {}',
    [`docs/${page('guide')}`]: `${named('startSend')}, ${named('start')}`,
  });
  assert.deepEqual(problems, [`docs/${page('guide')} says that start is in src/${source}, where it is not.`]);
});

test('a rule needs the title of a running test', async (t) => {
  const explained = [1, 2, 3, 4, 5, 6, 7].map((number) => `- **${rule(number)}**: Explained.\n`);
  const problems = await problemsOf(t, {
    [`docs/${page('rules')}`]: explained.join(''),
    'apps/a/a.test.ts': [
      `describe.only('all (${rule(1)})', () => {});`,
      `suite(\n  'it\\'s (${rule(2)})',`,
      `  await t.test(\`works (${rule(3)})\`)`,
      `// test('was here (${rule(4)})')`,
      `test.skip('waits (${rule(5)})')`,
      `assert.ok(pattern.test('${rule(6)}'), '${rule(7)}')`,
    ].join('\n'),
  });
  assert.deepEqual(
    problems,
    [4, 5, 6, 7].map((number) => `No title of a test cites ${rule(number)}.`),
  );
});
