import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { root } from './run-command.ts';

/** Result of one test. */
export interface Outcome {
  /** File, suites and title, from outside in. */
  name: string;
  result: 'passed' | 'failed' | 'skipped';
}

/** Duration of one test of a file, or of all its tests together. */
export interface FileTime {
  file: string;
  durationMs: number;
}

/**
 * A reporter for `node --test` that writes one line of JSON for each `Outcome`, and for the `FileTime` of each top-level
 * suite or test.
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

/** @returns undefined for a suite, because its tests are counted one by one */
function judge({ type, data }: Ending): Outcome['result'] | undefined {
  if (isSkipped(data.skip) || isSkipped(data.todo)) return 'skipped';
  if (data.details.type === 'suite') {
    // A suite fails because of its tests, which are counted, or by itself, for example in a hook.
    return type === 'test:fail' && !isFailureOfTests(data.details.error) ? 'failed' : undefined;
  }
  return type === 'test:fail' || isFile(data) ? 'failed' : 'passed';
}

function nameOf({ type, data }: Ending, openTitles: string[]): string {
  const file = relative(root, data.file ?? '');
  if (isFile(data)) return `${file} ${type === 'test:fail' ? 'broke off' : 'contains no test'}`;
  return [file, ...openTitles.slice(0, data.nesting), data.name].join(' › ');
}

/** node:test reports a file that crashes, or has no tests, as a test with the name of the file. */
function isFile({ nesting, file, name }: Ending['data']): boolean {
  return nesting === 0 && file !== undefined && resolve(root, name) === file;
}

function isSkipped(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}

function isFailureOfTests(error: unknown): boolean {
  return error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed';
}
