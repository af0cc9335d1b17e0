import { randomBytes } from 'node:crypto';
import { LimitExceeded } from '../../platform/limit-exceeded.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { OutboundFailure, type OutboundFailureKind } from '../../platform/outbound/outbound-failure.ts';

export type TrackingProbeResult =
  | { outcome: 'ok'; certificateEndsAt: Date | undefined }
  /** The host answers as we do, but only without encryption. */
  | { outcome: 'http_only' }
  /** What another server answers, for people: `HTTP 404`. */
  | { outcome: 'other_answer'; answer: string }
  | { outcome: 'failed'; kind: OutboundFailureKind; reason: string }
  /** A limit of this installation kept us from asking. */
  | { outcome: 'not_probed' };

/** @param host  with a port only where the operator lists it in PRIVATE_HOSTS */
export type TrackingProbe = (host: string) => Promise<TrackingProbeResult>;

/** Followed by a token of letters, digits, `-` and `_`, which the server answers as text. */
export const trackingProbePath = '/.well-known/reachout-probe/';

const maxMs = 5_000;
const maxBytes = 4_096;

/**
 * @param client  refuses hosts of private networks that the operator does not list, and follows no redirect
 * @param owner  of the domain; limits apply per owner
 */
export const createTrackingProbe =
  (client: OutboundClient, owner: string): TrackingProbe =>
  async (host) => {
    const token = randomBytes(24).toString('base64url');
    const until = Date.now() + maxMs;
    const request = { client, owner, host, token, until };
    const overTls = await visit('https', request);
    if (overTls.outcome !== 'failed' || !mayAnswerPlainly.has(overTls.kind)) return overTls;
    const plain = await visit('http', request);
    return plain.outcome === 'ok' ? { outcome: 'http_only' } : overTls;
  };

/** Failures to have TLS, rather than to find the host. */
const mayAnswerPlainly: ReadonlySet<OutboundFailureKind> = new Set(['refused', 'certificate', 'connection']);

interface Visit {
  client: OutboundClient;
  owner: string;
  host: string;
  token: string;
  until: number;
}

async function visit(
  scheme: 'http' | 'https',
  { client, owner, host, token, until }: Visit,
): Promise<TrackingProbeResult> {
  try {
    const { status, body, certificateEndsAt } = await client.request({
      owner,
      method: 'GET',
      url: `${scheme}://${host}${trackingProbePath}${token}`,
      headers: {},
      until,
      allowsHttp: true,
      bounds: createByteLimit(),
    });
    return status === 200 && body.toString() === token
      ? { outcome: 'ok', certificateEndsAt }
      : { outcome: 'other_answer', answer: `HTTP ${status}` };
  } catch (error) {
    if (error instanceof LimitExceeded) return { outcome: 'not_probed' };
    if (!(error instanceof OutboundFailure)) throw error;
    const { kind, message: reason } = error;
    if (kind === 'paused') return { outcome: 'not_probed' };
    if (kind === 'redirect') return { outcome: 'other_answer', answer: 'HTTP 3xx' };
    if (kind === 'too_large') return { outcome: 'other_answer', answer: '> 4 kB' };
    return { outcome: 'failed', kind, reason };
  }
}

function createByteLimit() {
  let bytes = 0;
  return {
    accepts: (piece: Uint8Array) => {
      bytes += piece.byteLength;
      return bytes <= maxBytes;
    },
    values: () => 0,
  };
}
