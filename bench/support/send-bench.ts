import type { SignerOptions } from '../../apps/server/src/email/dkim/create-signer.ts';
import type { ProviderEndpoints } from '../../apps/server/src/email/transports/own-transport.ts';
import { compileEmail } from '../../apps/server/src/email/templates/compile-email.ts';
import type { EmailSnapshot, EmailContent } from '../../apps/server/src/email/email-content.ts';
import { openDatabase, secretKey, sinkProgram, type BenchDatabase } from './benchmark.ts';
import { startChild, stopProcess } from './child-process.ts';
import { startPostfixSink } from './postfix-sink.ts';
import type { Sink } from './sink.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rowsOf, type Database } from '../../apps/server/src/platform/database/database.ts';
import memoryLimits from '../../apps/server/src/platform/worker-memory.json' with { type: 'json' };
import { root } from '../../scripts/run-command.ts';

/** The environment of send benchmarks: PostgreSQL with its default settings, a counting mail server, an email snapshot. */
export interface SendBench extends Pick<BenchDatabase, 'owner' | 'forServer' | 'postgresPid'> {
  /** Logs in as the product does. */
  appUrl: string;
  sink: Sink;
  snapshot: EmailSnapshot;
  /** With which workers sign; undefined if they do not. */
  dkim?: DkimKey | undefined;
  /** Of stand-ins of providers. */
  endpoints?: ProviderEndpoints | undefined;
}

export type DkimKey = SignerOptions;

/** Runs `work` in a separate environment, which is removed afterwards. */
export async function withSendBench<T>(work: (bench: SendBench) => Promise<T>): Promise<T> {
  const { close, ...database } = await openDatabase({ connections: 3 });
  try {
    const snapshot = await compileNewsletter();
    const sink = await startSink();
    try {
      return await work({ ...database, appUrl: database.logins.appUrl, sink, snapshot });
    } finally {
      await sink.stop();
    }
  } finally {
    await close();
  }
}

async function compileNewsletter(): Promise<EmailSnapshot> {
  const compiled = await compileEmail(newsletter, { brand: { id: 'brand', name: 'Nordwind' } }, 'bench');
  if (!compiled.ok) throw new Error(`The newsletter does not compile: ${JSON.stringify(compiled.problems)}`);
  return compiled.snapshot;
}

const blurbs = [
  'Warm, light and made to last: tested for two winters between Flensburg and the Alps.',
  'New in four colors. The first hundred orders come with a pair of wool socks.',
  'Back in stock after many of you asked; sizes 36 to 48, half sizes included.',
  'Für Tage, an denen das Wetter nicht weiß, was es will.',
];

/** A shop's newsletter: about 10 kB of HTML, 1 kB of text, 40 links, a greeting by name, a conditional part. */
const newsletter: EmailContent = {
  subject: '{{ contact.first_name | default: "Hello" }}, our offers of the week',
  preheader: 'Twelve things for colder days',
  from_name: 'Nordwind',
  from_email: 'news@nordwind.example',
  reply_to: null,
  mjml: `<mjml><mj-body><mj-raw>
<h1>Hello {{ contact.first_name | default: "there" }} {{ contact.last_name }},</h1>
{% if contact.vip %}<p>As a regular customer you get free shipping until Sunday.</p>{% endif %}
<table role="presentation" width="600">${Array.from({ length: 19 }, (_, index) => product(index + 1)).join('\n')}</table>
<p><a href="https://shop.example/imprint">Imprint</a> <a href="https://shop.example/privacy">Privacy</a>
<a href="{{ links.unsubscribe }}">Unsubscribe</a></p>
</mj-raw></mj-body></mjml>`,
};

function product(number: number): string {
  const address = `https://shop.example/products/${number}?utm_campaign=week-47`;
  return `<tr><td><a href="${address}&amp;place=title"><b>Product ${number}</b></a>
<p style="font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px;color:#333333">${blurbs[number % blurbs.length]!}</p><a href="${address}&amp;place=button">Have a look</a></td></tr>`;
}

/** Starts the built-in sink, or the one of Postfix with `--sink`. */
const startSink = (): Promise<Sink> =>
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

/** Default of SMTP_CONNECTIONS. */
export const connections = 16;

/**
 * Starts a worker in its own process, as an operator would, runs `work`, and stops the worker.
 * @param work  called when the worker is ready, with its process id
 */
export async function withWorker<T>(bench: SendBench, work: (pid: number) => Promise<T>): Promise<T> {
  // For profiling the worker, as in BENCH_WORKER_FLAGS=--cpu-prof; metrics with flags are invalid.
  const flags = process.env['BENCH_WORKER_FLAGS']?.split(' ') ?? [];
  const { dkim, endpoints } = bench;
  const program =
    dkim === undefined && endpoints === undefined ? 'scripts/start.ts' : 'bench/support/signing-worker.ts';
  const worker = spawn(process.execPath, [...memoryLimits, ...flags, join(root, program)], {
    cwd: root,
    // It ends when the channel closes, so also when this process is killed.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ROLES: 'worker',
      DATABASE_URL: bench.forServer.ownerUrl,
      SMTP_URL: `smtp://127.0.0.1:${bench.sink.port}`,
      SMTP_CONNECTIONS: String(connections),
      SENDER_DOMAINS: 'nordwind.example',
      DAILY_RECIPIENT_LIMIT: '1000000000',
      SECRET_KEY: secretKey,
      PUBLIC_URL: 'https://reachout.example',
      LOG_LEVEL: 'warn',
      ...(dkim === undefined ? {} : { BENCH_DKIM_KEY: JSON.stringify(dkim) }),
      ...(endpoints === undefined
        ? {}
        : { BENCH_ENDPOINTS: JSON.stringify(endpoints), PRIVATE_HOSTS: '127.0.0.1' }),
    },
  });
  const killAtExit = () => worker.kill('SIGKILL');
  process.once('exit', killAtExit);
  try {
    await waitUntilItLives(bench.owner);
    return await work(worker.pid!);
  } finally {
    process.off('exit', killAtExit);
    await stopProcess(worker);
  }
}

/** Waits for the advisory lock that a living worker holds. */
async function waitUntilItLives(owner: Database): Promise<void> {
  for (let triesLeft = 600; triesLeft > 0; triesLeft -= 1) {
    const rows = await rowsOf(owner)`
      select from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
    `;
    if (rows.length > 0) return;
    await delay(100);
  }
  throw new Error('The worker does not start.');
}
