import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { root } from './run-command.ts';

/** What became of one test. */
export interface Outcome {
  /** File, suites and title, from outside in. */
  name: string;
  result: 'passed' | 'failed' | 'skipped';
}

/** How long a test of a file took, or all of them together. */
export interface FileTime {
  file: string;
  durationMs: number;
}

/**
 * A reporter for `node --test` that writes as one line of JSON each `Outcome`, and the `FileTime` of each suite or test
 * that is in no other.
 */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const titles = new Map<string, string[]>();
  for await (const event of source) {
    if (event.type === 'test:start') {
      const open = titles.get(event.data.file ?? '') ?? [];
      titles.set(event.data.file ?? '', [...open.slice(0, event.data.nesting), event.data.name]);
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { nesting, file = '', details } = event.data;
    if (nesting === 0 && !isFile(event.data)) {
      const time: FileTime = { file: relative(root, file), durationMs: details.duration_ms };
      yield `${JSON.stringify(time)}\n`;
    }
    const result = judge(event);
    if (result === undefined) continue;
    const outcome: Outcome = { name: nameOf(event, titles.get(event.data.file ?? '') ?? []), result };
    yield `${JSON.stringify(outcome)}\n`;
  }
}

type Ending = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;

/** @returns undefined for what is not one test: a suite whose tests are counted one by one */
function judge({ type, data }: Ending): Outcome['result'] | undefined {
  if (isSkipped(data.skip) || isSkipped(data.todo)) return 'skipped';
  if (data.details.type === 'suite') {
    // A suite fails by its tests, which are counted, or by itself, for instance in a hook.
    return type === 'test:fail' && !isFailureOfTests(data.details.error) ? 'failed' : undefined;
  }
  return type === 'test:fail' || isFile(data) ? 'failed' : 'passed';
}

function nameOf({ type, data }: Ending, openTitles: string[]): string {
  const file = relative(root, data.file ?? '');
  if (isFile(data)) return `${file} ${type === 'test:fail' ? 'broke off' : 'contains no test'}`;
  return [file, ...openTitles.slice(0, data.nesting), data.name].join(' › ');
}

/** node:test takes a file that breaks off, or has no test at all, for a test with the name of the file. */
function isFile({ nesting, file, name }: Ending['data']): boolean {
  return nesting === 0 && file !== undefined && resolve(root, name) === file;
}

function isSkipped(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}

function isFailureOfTests(error: unknown): boolean {
  return error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed';
}
