import { appendFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** Result of one test. */
export interface Outcome {
  /** File, suites and title, from outside in. */
  name: string;
  result: 'passed' | 'failed' | 'skipped';
}

/**
 * A reporter for scripts/test-worker.ts that prints each test, and writes one line of JSON for each `Outcome` to the file
 * `TEST_REPORT`. Both at once: the next test may end the process, or leave something open so that it has to be ended. The
 * outermost suite of each test has the name of its file.
 */
// oxlint-disable-next-line require-yield -- what it yields would be written later
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const titles: string[] = [];
  for await (const event of source) {
    if (event.type === 'test:start') titles.splice(event.data.nesting, Infinity, event.data.name);
    if (event.type === 'test:diagnostic' && event.data.nesting > 0)
      print(event.data.nesting, `ℹ ${event.data.message}`);
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const result = judge(event);
    const { name: title, nesting, details } = event.data;
    const sign = { passed: '✔', failed: '✖', skipped: '﹣' }[result ?? 'passed'];
    print(nesting, `${sign} ${title} (${Math.round(details.duration_ms)} ms)`);
    if (event.type === 'test:fail' && result === 'failed')
      print(nesting + 1, inspect(event.data.details.error.cause));
    const name = [...titles.slice(0, event.data.nesting), event.data.name].join(' › ');
    if (result !== undefined)
      appendFileSync(process.env['TEST_REPORT']!, `${JSON.stringify({ name, result } satisfies Outcome)}\n`);
  }
}

function print(nesting: number, text: string): void {
  const indent = '  '.repeat(nesting);
  console.log(`${indent}${text.replaceAll('\n', `\n${indent}`)}`);
}

type Ending = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;

/** @returns undefined for a suite, because its tests are counted one by one */
function judge({ type, data }: Ending): Outcome['result'] | undefined {
  if (isSkipped(data.skip) || isSkipped(data.todo)) return 'skipped';
  if (data.details.type === 'suite') {
    // A suite fails because of its tests, which are counted, or by itself, for example in a hook.
    return type === 'test:fail' && !isFailureOfTests(data.details.error) ? 'failed' : undefined;
  }
  return type === 'test:fail' ? 'failed' : 'passed';
}

const isSkipped = (mark: string | boolean | undefined): boolean => mark !== undefined && mark !== false;

const isFailureOfTests = (error: unknown): boolean =>
  error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed';
