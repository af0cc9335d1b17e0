import { startChild } from './child-process.ts';
import { sinkProgram } from './options.ts';
import { startPostfixSink } from './postfix-sink.ts';
import type { Sink } from './sink.ts';

/** Starts the built-in sink, or the one of Postfix with `--sink`. */
export const startSink = (): Promise<Sink> =>
  sinkProgram === undefined ? startCountingSink() : startPostfixSink(sinkProgram);

async function startCountingSink(): Promise<Sink> {
  const child = await startChild('counting-sink.ts');
  return {
    port: await child.ask<number>('port'),
    reset: (faults = {}) => child.ask('reset', faults),
    first: () => child.ask('first'),
    count: () => child.ask('count'),
    stop: () => child.stop(),
  };
}
