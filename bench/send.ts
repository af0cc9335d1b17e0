import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { startReturnedMailReader } from '../apps/server/src/delivery/returned-mail/returned-mail-reader.ts';
import { createTokenSigner } from '../apps/server/src/email/links/tokens.ts';
import { connect, execute, hasRows, onlyValueOf } from '../apps/server/src/platform/database/database.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { createOutboundClient } from '../apps/server/src/platform/outbound/outbound-client.ts';
import { testSecrets } from '../apps/server/src/testing/test-secrets.ts';
import { measureAgainstNodemailer } from './support/against-nodemailer.ts';
import { compareRates, measureSend, rateOf, waitFor, type SendReport } from './support/measure-send.ts';
import { median, toMetric, readNumber, say, type Bench, type Metric } from './support/benchmark.ts';
import { withSendBench, connections, type SendBench } from './support/send-bench.ts';
import { buildWaitingSends, setWaitingSends } from './support/send-tables.ts';

const contacts = readNumber('contacts', 20_000);
const repeats = readNumber('repeats', 3);

/** Each sends a newsletter to `--contacts` contacts, repeatedly or under some load or fault. */
export const benches: Bench[] = [
  // The relay signs the messages of both sides.
  { metrics: ['send', 'send_cpu'], run: () => measureAgainstNodemailer('send') },
  // Both sides sign each message with the same RSA key of 2048 bits. Goal: 4.0 times the rate of nodemailer.
  {
    metrics: ['send_dkim', 'send_dkim_cpu'],
    run: () => measureAgainstNodemailer('send_dkim', createKey()),
  },
  { metrics: ['send_db', 'send_db_wal'], run: () => withSendBench(measureDatabase) },
  { metrics: ['send_memory', 'send_memory_growth'], run: () => withSendBench(measureMemory) },
  {
    metrics: ['send_tail'],
    run: () => withSendBench(async (bench) => [await compareWithWaitingSends(bench)]),
  },
  // The mail server drops the connection for one in 1,000 recipients, at RCPT or at DATA.
  { metrics: ['send_bad_recipient'], run: () => compareWithFaults('send_bad_recipient', 'dropEvery', 1_000) },
  // The mail server closes the connection after the text of one message in 50, and nobody resumes the send.
  { metrics: ['send_cut_lines'], run: () => compareWithFaults('send_cut_lines', 'cutEvery', 50) },
  { metrics: ['send_slow_answers'], run: () => withSendBench(measureSlowAnswers) },
  { metrics: ['send_snapshot'], run: () => withSendBench(measureBesideSnapshot) },
  // Reports about a quarter of the last send come back while the next one goes out. Goal: 0.05.
  { metrics: ['send_reports'], run: () => withSendBench(measureReports) },
];

function createKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    domain: 'nordwind.example',
    selector: 'r1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

/**
 * The cost of a message for PostgreSQL: CPU time of all its processes and bytes of WAL, from when the send becomes due to
 * its end, including the audience snapshot.
 */
async function measureDatabase(bench: SendBench): Promise<Metric[]> {
  const reports: SendReport[] = [];
  const cpuOf = ({ postgresCpuSeconds, messages }: SendReport) => (postgresCpuSeconds * 1e6) / messages;
  const walOf = ({ walBytes, messages }: SendReport) => walBytes / messages;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const report = await measureSend(bench, { contacts });
    say(`  ${cpuOf(report).toFixed(1)} us and ${walOf(report).toFixed(0)} bytes of WAL a message`);
    reports.push(report);
  }
  return [
    toMetric('send_db', median(reports.map(cpuOf)), 'us of CPU per message', 50),
    toMetric('send_db_wal', median(reports.map(walOf)), 'bytes per message', 650),
  ];
}

/** The worker's peak memory must not grow with the audience: compares it with that of ten times the contacts. */
async function measureMemory(bench: SendBench): Promise<Metric[]> {
  const [small, large] = [
    await measureSend(bench, { contacts }),
    await measureSend(bench, { contacts: contacts * 10 }),
  ].map(({ peakMemoryMb }) => peakMemoryMb) as [number, number];
  say(`  ${small.toFixed(0)} MB for ${contacts} contacts, ${large.toFixed(0)} MB for ${contacts * 10}`);
  return [
    toMetric('send_memory', large, 'MB peak', 160),
    toMetric('send_memory_growth', large, 'MB peak', small),
  ];
}

/** During `--sends` open sends that are idle, because their deferred messages are not due. */
async function compareWithWaitingSends(bench: SendBench): Promise<Metric> {
  const sends = readNumber('sends', 2_000);
  say(`${contacts} contacts beside ${sends} open sends`);
  await buildWaitingSends(bench, sends);
  const measure = async (status: 'sending' | 'paused') => {
    await setWaitingSends(bench.owner, status);
    return await measureSend(bench, { contacts });
  };
  return await compareRates('send_tail', {
    without: () => measure('paused'),
    with: () => measure('sending'),
  });
}

const compareWithFaults = (name: string, fault: 'dropEvery' | 'cutEvery', every: number): Promise<Metric[]> =>
  withSendBench(async (bench) => {
    const unreachable = Math.floor(contacts / every);
    say(`${contacts} contacts, ${unreachable} of them bad`);
    return [
      await compareRates(name, {
        without: () => measureSend(bench, { contacts }),
        with: () => measureSend(bench, { contacts, faults: { [fault]: every }, unreachable }),
      }),
    ];
  });

/**
 * The mail server confirms every 200th message only after `--wait` seconds (the target is 15). The ceiling is the rate of
 * a send without delays, reduced by the time that the connections wait.
 */
async function measureSlowAnswers(bench: SendBench): Promise<Metric[]> {
  const slowEvery = 200;
  const slowMs = readNumber('wait', 1) * 1_000;
  const rate = rateOf(await measureSend(bench, { contacts }));
  const slowed = rateOf(await measureSend(bench, { contacts, faults: { slowEvery, slowMs } }));
  const waited = (Math.floor(contacts / slowEvery) * slowMs) / 1_000 / connections;
  const possible = contacts / (contacts / rate + waited);
  say(`  ${slowed.toFixed(0)} messages/s, ${possible.toFixed(0)}/s possible, ${rate.toFixed(0)}/s without`);
  return [toMetric('send_slow_answers', slowed, 'messages/s', possible)];
}

/**
 * While another session holds a snapshot, as a backup or a report does: vacuum cannot remove replaced rows meanwhile. The
 * send has enough contacts to run for `--hold` seconds (the target is 600).
 */
async function measureBesideSnapshot(bench: SendBench): Promise<Metric[]> {
  const rate = rateOf(await measureSend(bench, { contacts }));
  const many = Math.ceil(rate * readNumber('hold', 5));
  say(`  ${rate.toFixed(0)} messages/s without; ${many} contacts beside a snapshot`);
  const held = await bench.owner
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      const speak = async () => await sql`select from organizations limit 1`.execute(trx);
      await speak();
      // A busy connection that is silent for too long is considered lost.
      const speaking = setInterval(() => void speak(), 60_000);
      return await measureSend(bench, { contacts: many }).finally(() => clearInterval(speaking));
    });
  return [toMetric('send_snapshot', rateOf(held), 'messages/s', rate)];
}

/** Reports that are applied while a send goes out, compared with the rate of that send. */
async function measureReports(bench: SendBench): Promise<Metric[]> {
  await measureSend(bench, { contacts });
  const signer = createTokenSigner(randomBytes(32));
  const sendNumber = await onlyValueOf<number>(bench.owner)`select max(send_number) from touchpoint_sends`;
  const seqs = Array.from({ length: contacts / 4 }, (_, index) => 4 * index + 1);
  const mailboxes = seqs.map((seq) => `b.${signer.sign({ sendNumber, seq }).return_path}`);
  const raw = await readFile(
    new URL('../apps/server/src/email/inbound/fixtures/postfix-unknown-user.eml', import.meta.url),
  );
  await execute(bench.owner)`
    insert into returned_mail (id, mailbox, raw, due_at)
    select gen_random_uuid(), mailbox, ${raw}::bytea, 'infinity' from unnest(${mailboxes}::text[]) mailbox`;
  const db = connect(bench.appUrl, {
    connections: 2,
    name: 'reports',
    statementTimeoutMs: 60_000,
    onError: () => {},
  });
  const outbound = createOutboundClient([]);
  const reader = startReturnedMailReader({
    db,
    signer,
    secrets: testSecrets,
    outbound,
    log: createLog('warn'),
    unsubscribe: () => Promise.resolve(),
  });
  try {
    const sending = measureSend(bench, { contacts });
    await waitFor(
      'the send goes out',
      contacts,
      () => hasRows(bench.owner)`select from touchpoint_sends where status = 'sending'`,
    );
    await execute(bench.owner)`update returned_mail set due_at = now()`;
    const report = await sending;
    const left = await onlyValueOf<number>(bench.owner)`select count(*) from returned_mail`;
    const applied = (seqs.length - left) / report.seconds;
    say(`  ${applied.toFixed(0)} reports/s beside ${rateOf(report).toFixed(0)} messages/s, ${left} left`);
    return [toMetric('send_reports', applied, 'reports/s', rateOf(report))];
  } finally {
    await reader.close();
    await outbound.close();
    await db.destroy();
  }
}
