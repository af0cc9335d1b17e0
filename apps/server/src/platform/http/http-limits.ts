import type { Shares } from './holdings.ts';

/** What this process keeps for HTTP peers who are slow or gone, and for how long. docs/security.md lists these. */
export interface HttpLimits {
  /** Responses that their peers have not taken yet. */
  responses: {
    /** Maximum time without progress of a response that its client does not take. */
    stallMs: number;
    /** A slower client loses `stallMs` little by little, and is cut off in the end. */
    bytesPerSecond: number;
    shares: Shares;
  };
  /** Bodies that are not received in full, and the bytes of those that are not processed yet. */
  bodies: {
    /** Maximum time for a body that is read before the request is processed: JSON and forms. */
    receiveMs: number;
    /** Maximum time for a file that is kept whole while it arrives. */
    uploadMs: number;
    /** Maximum time without a byte of a body that is processed while it arrives: files and imports. */
    stallMs: number;
    /** The rest of a refused body is discarded for so long, because its sender reads the response only afterwards. */
    lingerMs: number;
    shares: Shares;
  };
  connections: {
    all: number;
    /** Of one address that is not a trusted proxy. */
    address: number;
    /** Requests of one connection whose responses are not finished: browsers and proxies send one at a time. */
    pipelined: number;
  };
}

const megabyte = 1_000_000;

export const httpLimits: HttpLimits = {
  responses: {
    stallMs: 30_000,
    bytesPerSecond: 16_000,
    shares: {
      // Four files of 10 MB, and room for what is read beside them.
      person: { count: 100, bytes: 48 * megabyte },
      tenant: { count: 300, bytes: 64 * megabyte },
      network: { count: 1_000, bytes: 64 * megabyte },
      all: { count: 3_000, bytes: 128 * megabyte },
    },
  },
  bodies: {
    receiveMs: 15_000,
    uploadMs: 60_000,
    stallMs: 30_000,
    lingerMs: 2_000,
    shares: {
      person: { count: 100, bytes: 16 * megabyte },
      tenant: { count: 200, bytes: 32 * megabyte },
      network: { count: 100, bytes: 4 * megabyte },
      all: { count: 1_000, bytes: 64 * megabyte },
    },
  },
  connections: { all: 4_096, address: 1_024, pipelined: 16 },
};
