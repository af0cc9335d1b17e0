import Fastify from 'fastify';
import { createTokenSigner } from '../../apps/server/src/email/links/tokens.ts';
import { connect } from '../../apps/server/src/platform/database/database.ts';
import { connectPipelined } from '../../apps/server/src/platform/database/pipelined.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { createSecrets } from '../../apps/server/src/platform/secrets.ts';
import { startEventFolder } from '../../apps/server/src/events/event-folder.ts';
import { registerTracking } from '../../apps/server/src/insight/tracking/tracking.routes.ts';
import { serveParent } from './child-process.ts';

// Both sides of the tracking benchmarks in one process: a Fastify server that only sends the same 43 bytes, or parses the same
// body, and the product's tracking endpoints.

export interface ServerOrder {
  appUrl: string;
  /** The token secret, base64. */
  secret: string;
}

serveParent({ start });

async function start({ appUrl, secret }: ServerOrder): Promise<{ bare: number; tracking: number }> {
  const pool = { name: 'tracking', connections: 2, statementTimeoutMs: 10_000, onError: () => undefined };
  const picture = Buffer.alloc(43);
  const bare = Fastify();
  bare.get('/t/o/:token', async (_request, reply) => await reply.type('image/gif').send(picture));
  bare.post('/api/track', async (_request, reply) => await reply.code(204).send());
  const tracking = Fastify();
  // All pages are on this machine.
  const high = { perMinute: 1e9, atOnce: 1e9 };
  const pipelined = connectPipelined(appUrl, pool);
  startEventFolder(pipelined, createLog('error'));
  await registerTracking(tracking, {
    db: connect(appUrl, pool),
    pipelined,
    signer: createTokenSigner(Buffer.from(secret, 'base64')),
    secrets: createSecrets(secret),
    publicUrl: 'https://reachout.example',
    log: createLog('error'),
    rates: {
      website: high,
      conversions: high,
      arrivals: high,
      network: high,
      lookUps: high,
    },
  });
  const [barePort, trackingPort] = await Promise.all(
    [bare, tracking].map(async (app) =>
      Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port),
    ),
  );
  return { bare: barePort!, tracking: trackingPort! };
}
