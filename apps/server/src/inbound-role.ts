import { readFile } from 'node:fs/promises';
import { createInboundStore } from './delivery/returned-mail/store-inbound.ts';
import { collectWaitingMail } from './delivery/returned-mail/waiting-mail.ts';
import { InboundServer } from './email/inbound/inbound-server.ts';
import { createTokenSigner } from './email/links/tokens.ts';
import type { ReportingInbound } from './operations/health/health-server.ts';
import { createBounceHosts } from './outreach/domains/bounce-hosts.ts';
import type { Config, DatabaseLogins, InboundConfig } from './platform/config.ts';
import { connectPipelined } from './platform/database/pipelined.ts';
import { InvalidConfig } from './platform/invalid-config.ts';
import type { Log } from './platform/log.ts';
import { deriveKey } from './platform/secret-key.ts';

export interface InboundRole extends ReportingInbound {
  port: number;
  stop: () => Promise<void>;
}

/**
 * Takes returned mail and stores it; workers read it.
 * @throws InvalidConfig if it cannot listen, or the certificate cannot be read
 */
export async function startInboundRole(
  { secretKey, previousSecretKeys, bounceDomain }: Config,
  { host, port, certificate }: InboundConfig,
  { appUrl }: DatabaseLogins,
  log: Log,
): Promise<InboundRole> {
  const db = connectPipelined(appUrl, {
    name: 'returned mail',
    connections: 2,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 10_000,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  try {
    const server = new InboundServer({
      host,
      port,
      name: bounceDomain,
      signer: createTokenSigner(
        deriveKey(secretKey, 'message tokens'),
        previousSecretKeys.map((key) => deriveKey(key, 'message tokens')),
      ),
      isBounceHost: createBounceHosts(db, bounceDomain),
      store: createInboundStore(db),
      certificate: certificate && (await readCertificate(certificate)),
      log,
    });
    return {
      port: await server.listen(),
      report: () => ({ is_listening: server.isListening }),
      collectMetrics: async () => [...server.collectMetrics(), ...(await collectWaitingMail(db))],
      stop: async () => {
        await server.stop();
        await db.destroy();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function readCertificate({ certFile, keyFile }: { certFile: string; keyFile: string }) {
  const read = async (setting: string, file: string) => {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      throw new InvalidConfig(`${setting}: the file cannot be read.`, { cause: error });
    }
  };
  const [cert, key] = await Promise.all([read('SMTP_IN_CERT', certFile), read('SMTP_IN_KEY', keyFile)]);
  return { cert, key };
}
