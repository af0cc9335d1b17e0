import { useEffect, useRef, useState } from 'react';
import type { ParsedSource } from '#web/content/editor/source/parse-source.ts';
import type { CompileReply, CompileRequest } from './compile-worker.ts';
import { takeWorker } from './compile-workers.ts';
import { markSource, type CanvasTexts } from './mark-source.ts';

/** Compiled HTML, and the source that it was made of. */
export interface Compiled {
  html: string;
  parsed: ParsedSource;
}

/** Shorter than the default, because the canvas shows what is typed, and asks no server. */
const pauseMs = 150;
const limitMs = 8_000;

/**
 * Compiles in a worker, so that a large or malicious source stops nobody from typing.
 * @param isTyping  more changes may follow at once
 * @returns the latest result, and whether the source that came after it failed
 */
export function useCompiled(parsed: ParsedSource, texts: CanvasTexts, isTyping: boolean) {
  const [result, setResult] = useState<{ compiled: Compiled | undefined; isFailed: boolean }>({
    compiled: undefined,
    isFailed: false,
  });
  const compiler = useRef<Compiler>(undefined);
  useEffect(() => {
    const created = new Compiler((source, html) =>
      setResult(({ compiled }) =>
        html === undefined
          ? { compiled, isFailed: true }
          : { compiled: { html, parsed: source }, isFailed: false },
      ),
    );
    compiler.current = created;
    return () => created.end();
  }, []);
  useEffect(() => {
    if (parsed.body !== undefined) compiler.current?.compile({ parsed, texts }, isTyping ? pauseMs : 0);
  }, [parsed, texts, isTyping]);
  return result;
}

interface Job {
  parsed: ParsedSource;
  texts: CanvasTexts;
}

/** Compiles the newest source; one at a time. */
class Compiler {
  readonly #onResult: (parsed: ParsedSource, html: string | undefined) => void;
  #worker: Worker | undefined;
  #next: Job | undefined;
  #running: Job | undefined;
  #pause: number | undefined;
  #limit: number | undefined;

  constructor(onResult: (parsed: ParsedSource, html: string | undefined) => void) {
    this.#onResult = onResult;
  }

  compile(job: Job, afterMs: number): void {
    this.#next = job;
    window.clearTimeout(this.#pause);
    this.#pause = window.setTimeout(() => this.#start(), afterMs);
  }

  end(): void {
    window.clearTimeout(this.#pause);
    this.#stop();
  }

  #start(): void {
    const job = this.#next;
    if (job === undefined || this.#running !== undefined) return;
    this.#next = undefined;
    this.#running = job;
    this.#worker ??= this.#create();
    this.#limit = window.setTimeout(() => {
      this.#stop();
      this.#finish(job, undefined);
    }, limitMs);
    const request: CompileRequest = { mjml: markSource(job.parsed, job.texts) };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has only one to talk to
    this.#worker.postMessage(request);
  }

  #create(): Worker {
    const worker = takeWorker();
    worker.addEventListener('message', ({ data }: MessageEvent<CompileReply>) => {
      if (this.#worker === worker && this.#running) this.#finish(this.#running, data.html);
    });
    worker.addEventListener('error', () => {
      if (this.#worker !== worker || !this.#running) return;
      this.#stop();
      this.#finish(this.#running, undefined);
    });
    return worker;
  }

  #finish(job: Job, html: string | undefined): void {
    window.clearTimeout(this.#limit);
    this.#running = undefined;
    this.#onResult(job.parsed, html);
    this.#start();
  }

  #stop(): void {
    window.clearTimeout(this.#limit);
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
