import { simpleParser } from 'mailparser';
import { createEmailRenderer } from '../../apps/server/src/email/mime/email-renderer.ts';
import { createTokenSigner } from '../../apps/server/src/email/links/tokens.ts';
import type { EmailSnapshot } from '../../apps/server/src/email/email-content.ts';
import { startChild } from './child-process.ts';
import { median, toMetric, readNumber, say, type Metric } from './benchmark.ts';
import type { FinishedMessage, PoolOrder, PoolReport } from './nodemailer-pool.ts';
import { measureSend, rateOf, type SendReport } from './measure-send.ts';
import { withSendBench, type DkimKey, type SendBench } from './send-bench.ts';

/**
 * Measures a campaign to `--contacts` contacts, sent, tracked and counted by a worker in its own process, against a bare
 * nodemailer pool that sends finished messages; alternating, `--repeats` times, medians. Rates are measured from the first
 * to the last message at the mail server that both use; with `--sink smtp-sink` it is that of Postfix.
 * @param name  of the metric of the rate; that of the CPU time ends with `_cpu`
 * @param dkim  the key with which both sides sign; undefined if neither does
 */
export const measureAgainstNodemailer = (name: string, dkim?: DkimKey): Promise<Metric[]> =>
  withSendBench(async (unsigned) => {
    const bench = { ...unsigned, dkim };
    const contacts = readNumber('contacts', 20_000);
    const repeats = readNumber('repeats', 3);
    const messages = await finishMessages(bench.snapshot);
    const { length } = messages[0]!.html;
    say(
      `A newsletter of ${length} characters of HTML and ${messages[0]!.text.length} of text, ${contacts} contacts`,
    );
    const ours: SendReport[] = [];
    const theirs = new Map<number, PoolReport[]>(poolSizes.map((connections) => [connections, []]));
    for (let repeat = 1; repeat <= repeats; repeat += 1) {
      ours.push(await measureSend(bench, { contacts }));
      say(`  ${describe(ours.at(-1)!)}`);
      for (const connections of poolSizes) {
        const report = await measurePool(bench, { connections, count: Math.ceil(contacts / 4), messages });
        theirs.get(connections)!.push(report);
      }
    }
    return compare(name, ours, [...theirs], Math.ceil(contacts / 4));
  });

const poolSizes = [8, 16, 32];

function compare(
  name: string,
  ours: SendReport[],
  theirs: [number, PoolReport[]][],
  poolCount: number,
): Metric[] {
  const pools = theirs.map(([connections, reports]) => ({
    connections,
    rate: poolCount / median(reports.map(({ seconds }) => seconds)),
    cpu: (median(reports.map((report) => report.cpuSeconds)) * 1000) / poolCount,
    queueShare: median(reports.map((report) => report.queueShare)),
  }));
  for (const { connections, rate, cpu, queueShare } of pools) {
    say(
      `  nodemailer, ${connections} connections: ${rate.toFixed(0)} messages/s, ${cpu.toFixed(3)} CPU s per 1,000, ` +
        `run queue ${(queueShare * 100).toFixed(0)} %`,
    );
  }
  const fastest = pools.toSorted((a, b) => b.rate - a.rate)[0]!;
  const thriftiest = pools.toSorted((a, b) => a.cpu - b.cpu)[0]!;
  const rate = median(ours.map(rateOf));
  const cpu = median(ours.map((report) => (report.cpuSeconds * 1000) / report.messages));
  return [
    toMetric(name, rate, 'messages/s', fastest.rate),
    toMetric(`${name}_cpu`, cpu, 'CPU s per 1,000 messages', thriftiest.cpu),
  ];
}

async function measurePool(
  { sink, dkim }: SendBench,
  order: Omit<PoolOrder, 'port' | 'dkim'>,
): Promise<PoolReport> {
  const pool = await startChild('nodemailer-pool.ts');
  try {
    await sink.reset();
    const report = await pool.ask<PoolReport>('send', { ...order, port: sink.port, dkim });
    return report;
  } finally {
    await pool.stop();
  }
}

/** Parses the product's messages for some recipients, so that both sides send the same bytes. */
async function finishMessages(snapshot: EmailSnapshot): Promise<FinishedMessage[]> {
  const renderer = createEmailRenderer(snapshot, {
    publicUrl: 'https://reachout.example',
    signer: createTokenSigner(Buffer.alloc(32, 7)),
    sendNumber: 1,
    messageIdBase: '1f0f7b0e-4a30-4d0a-9c55-0b4f7c2d9e11',
    bounceDomain: 'reachout.example',
    headers: { feedbackId: '1:2:email:reachout', listId: '<brand.nordwind.example>' },
  });
  const finish = async (seq: number): Promise<FinishedMessage> => {
    const variables = { first_name: `Jürgen${seq}`, last_name: 'Müller', vip: seq % 2 === 0 };
    const recipient = { seq, contactId: `contact-${seq}`, address: `user${seq}@sink.example`, variables };
    const { message } = renderer.build(recipient, new Date());
    const { subject, html, text, headerLines } = await simpleParser(message);
    const carried = headerLines.filter(({ key }) => /^(?:list-|feedback-id|precedence)/.test(key));
    return {
      subject: subject ?? '',
      html: html === false ? '' : html,
      text: text ?? '',
      headers: Object.fromEntries(carried.map(({ key, line }) => [key, line.slice(key.length + 1).trim()])),
    };
  };
  return await Promise.all(Array.from({ length: 64 }, (_, index) => finish(index + 1)));
}

function describe(report: SendReport): string {
  const per1000 = (value: number) => ((value * 1000) / report.messages).toFixed(3);
  return (
    `${rateOf(report).toFixed(0)} messages/s, CPU s per 1,000: ${per1000(report.cpuSeconds)} worker + ` +
    `${per1000(report.postgresCpuSeconds)} PostgreSQL, ${report.peakMemoryMb.toFixed(0)} MB peak, ` +
    `run queue ${(report.queueShare * 100).toFixed(0)} %`
  );
}
