import Fastify from 'fastify';
import { createTokenSigner } from '../email/links/tokens.ts';
import { startEventFolder } from '../events/event-folder.ts';
import { connect } from '../platform/database/database.ts';
import { connectPipelined } from '../platform/database/pipelined.ts';
import { createLog } from '../platform/log.ts';
import { createSecrets } from '../platform/secrets.ts';
import { registerTracking } from '../insight/tracking/tracking.routes.ts';

// A process for tests to kill: the tracking server only, with the database of APP_URL, folding events. Prints its port.

const appUrl = process.env['APP_URL'] ?? '';
const pool = { name: 'tracking', connections: 2, statementTimeoutMs: 20_000, onError: () => {} };
const pipelined = connectPipelined(appUrl, pool);
const app = Fastify();
await registerTracking(app, {
  db: connect(appUrl, pool),
  pipelined,
  signer: createTokenSigner(Buffer.from(process.env['SECRET'] ?? '', 'base64')),
  secrets: createSecrets(process.env['SECRET'] ?? ''),
  publicUrl: 'https://reachout.example',
  log: createLog('silent'),
});
startEventFolder(pipelined, createLog('silent'));
const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(new URL(address).port);
