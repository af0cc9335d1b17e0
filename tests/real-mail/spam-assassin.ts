import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bind } from './start-bind.ts';
import { run } from './programs.ts';
import type { SignedEmail } from './starter-emails.ts';

export interface SpamReport {
  name: string;
  /** The sum of the points; 5 is spam. */
  score: number;
  /** Names of the rules that the message matches, such as `DKIM_VALID_AU`. */
  rules: string[];
}

/**
 * Lets SpamAssassin judge messages as the server of their recipients would: with DNS, but without lists of others.
 * @param sender  the host that delivers them, with its address
 */
export async function judgeSpam(
  { port, directory }: Bind,
  emails: readonly SignedEmail[],
  sender: { host: string; address: string },
): Promise<SpamReport[]> {
  const preferences = join(directory, 'user_prefs');
  await writeFile(
    preferences,
    `dns_server 127.0.0.1:${port}\nskip_rbl_checks 1\nskip_uribl_checks 1\nuse_bayes 0\nuse_pyzor 0\nuse_razor2 0\n`,
  );
  const files = await Promise.all(
    emails.map(async ({ envelopeFrom, message }, index) => {
      const file = join(directory, `judged-${index}.eml`);
      const date = `${new Date().toUTCString().slice(0, -3)}+0000`;
      const delivered =
        `Return-Path: <${envelopeFrom}>\r\n` +
        `Received: from ${sender.host} (${sender.host} [${sender.address}])\r\n` +
        `\tby mx.receiver.test with ESMTP id 1; ${date}\r\n`;
      await writeFile(file, Buffer.concat([Buffer.from(delivered), message]));
      return file;
    }),
  );
  // In this order, all in one process, which takes seconds to start.
  const { code, output } = await run('spamassassin', ['-t', '-x', '-p', preferences, ...files], directory);
  const found = [
    ...output.matchAll(/^X-Spam-Status: \w+, score=(-?[\d.]+) .*tests=([\w,\s]+?)\s+autolearn=/gm),
  ];
  if (code !== 0 || found.length !== emails.length)
    throw new Error(
      `SpamAssassin judged ${found.length} of ${emails.length} messages:\n${output.slice(0, 2000)}`,
    );
  return found.map(([, score = '', rules = ''], index) => ({
    name: emails[index]!.name,
    score: Number(score),
    rules: rules.split(/[,\s]+/),
  }));
}
