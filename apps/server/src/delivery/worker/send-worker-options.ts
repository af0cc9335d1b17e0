import type { MailTransport } from '../../email/transports/transport.ts';
import type { EventListeners } from '../../events/listeners.ts';
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
  /** For statements that run many times a second: leasing deliveries and storing results. */
  pipelined: PipelinedDatabase;
  /** What events of bounces cause. */
  listeners: EventListeners;
  log: Log;
  heartbeat: Pick<WorkerHeartbeat, 'id'>;
  /** By the name that sender policies use. */
  transports: Readonly<Record<string, MailTransport>>;
  load: LoadOptions;
  /** Maximum messages in flight without a stored result. */
  inFlightLimit: number;
  sendRates: SendRates;
  /** Passed to the leaser, which has a default. */
  minQueuedLeaseMs?: number;
  /** Passed to the lease renewer, which has a default. */
  renewMs?: number;
  /** Successive waits of a lane that is throttled repeatedly; default: 1, 5, 15, 60 minutes. */
  laneWaitsMs?: readonly number[];
}
