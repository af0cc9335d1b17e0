import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import type { MessageOrder, MessageReport } from '../../testing/message-process.ts';

/** Lengths of a field and of a template, in characters. */
const fieldLength = 65_536;
const templateLength = 11_000;

const euros = '\u20ac'.repeat(fieldLength);
const quotes = "'".repeat(fieldLength);
const fields = '{{ contact.x }}'.repeat(templateLength / 15);
const loop = '{% for i in (1..99999) %}{{ contact.x }}{% endfor %}';

const bombs: Record<string, Partial<MessageOrder>> = {
  'fields in the text': { text: fields, variables: { x: euros } },
  'fields under a condition': { html: `{% if contact.x %}${fields}{% endif %}`, variables: { x: quotes } },
  'lists of fields': { html: fields, variables: { x: [quotes, [quotes, euros]] } },
  'a loop in text and HTML': { text: loop, html: loop, variables: { x: quotes } },
  'captured loops': {
    text: ['a', 'b', 'c'].map((name) => `{% capture ${name} %}${loop}{% endcapture %}`).join(''),
    variables: { x: euros },
  },
};

async function report(changes: Partial<MessageOrder>): Promise<MessageReport> {
  const child = fork(join(import.meta.dirname, '../../testing/message-process.ts'), {
    // The limits of the worker thread.
    execArgv: ['--max-semi-space-size=4', '--max-old-space-size=256'],
  });
  child.send({ subject: 'News', text: '', html: '', variables: {}, ...changes } satisfies MessageOrder);
  const [answer] = (await once(child, 'message')) as [MessageReport];
  child.disconnect();
  return answer;
}

test('exploding messages use under 64 MB of memory (TPL-8)', async () => {
  const reports = await Promise.all(
    Object.entries(bombs).map(async ([name, bomb]) => ({ name, ...(await report(bomb)) })),
  );
  for (const { name, result, growth } of reports) {
    assert.equal(result, 'too_large', name);
    assert.ok(growth < 64 * 2 ** 20, `${name}: ${Math.round(growth / 2 ** 20)} MB`);
  }
});
