import type { MailTransport } from '../../email/transports/transport.ts';
import { Lanes } from './lanes.ts';

export interface OpenTransport {
  readonly name: string;
  readonly transport: MailTransport;
  readonly lanes: Lanes;
  /** Messages that it can take beside those that it has. */
  freeCapacity: number;
}

/** The transports of a worker. Each send leaves by the one that the policy of its organization names. */
export class OpenTransports {
  readonly all: readonly OpenTransport[];

  /** @param onFree  called when a wait of a lane ends */
  constructor(
    transports: Readonly<Record<string, MailTransport>>,
    options: { waitsMs: readonly number[]; onFree: () => void },
  ) {
    this.all = Object.entries(transports).map(([name, transport]) => ({
      name,
      transport,
      lanes: new Lanes({ capacity: transport.capacity, ...options }),
      freeCapacity: transport.capacity,
    }));
  }

  /** @throws if this worker has no such transport */
  of(wanted: string): OpenTransport {
    const found = this.all.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`This worker has no transport ${wanted}.`);
    return found;
  }

  get hasCapacity(): boolean {
    return this.all.some(({ freeCapacity }) => freeCapacity > 0);
  }
}
