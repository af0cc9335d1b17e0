import type { MailTransport } from '../../email/transports/transport.ts';
import type { SendRates } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import type { Log } from '../../platform/log.ts';
import type { WorkerHeartbeat } from '../../platform/worker-heartbeat.ts';
import type { LoadOptions } from './load-send.ts';

export interface SendWorkerOptions {
  db: Database;
  /** For audience snapshots, which take seconds to minutes. */
  prepareDb: Database;
  /** For what runs many times a second: taking and storing deliveries. */
  pipelined: PipelinedDatabase;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  transport: MailTransport;
  load: LoadOptions;
  /** Most messages under way without a stored result. */
  inFlightLimit: number;
  sendRates: SendRates;
  /** Of the leaser; its own if unset. */
  minQueuedLeaseMs?: number;
  /** Of the lease renewer; its own if unset. */
  renewMs?: number;
  /** How long a lane waits that is throttled, and again and again; default: 1, 5, 15, 60 minutes. */
  laneWaitsMs?: readonly number[];
}
