import { createJsonBounds } from '../../platform/outbound/bounded-json.ts';
import { TransportCheckError, type OpenOptions, type OwnTransport } from './own-transport.ts';
import { toWords } from './provider-words.ts';

/** As the provider states it. */
export const maxOpenRequests = 20;

export interface ElasticEmailResponse {
  status: number;
  /** Undefined if it is no JSON. */
  body: unknown;
  /** Its status and error, for people. */
  words: string;
  /** It is about the key or the account, and not about the request. */
  isOfAccount: boolean;
}

/** An entry of the provider's log, as far as it is read. */
export interface ElasticEmailEvent {
  type: string;
  transaction: string;
  /** In lower case. */
  to: string;
  channel: string;
  category: string;
  message: string;
}

interface RequestParts {
  query?: Readonly<Record<string, string | readonly string[]>>;
  body?: object;
  mayLeave?: () => boolean;
}

export interface ElasticEmail {
  /** @throws OutboundFailure, LimitExceeded */
  request: (method: 'GET' | 'POST', path: string, parts?: RequestParts) => Promise<ElasticEmailResponse>;
  /**
   * Reads a page of a list.
   * @throws TransportCheckError with the provider's words, if it refuses; OutboundFailure, LimitExceeded
   */
  list: (path: string, query: RequestParts['query']) => Promise<Readonly<Record<string, unknown>>[]>;
  /** @param path  below `/events` */
  listEvents: (path: string, query: RequestParts['query']) => Promise<ElasticEmailEvent[]>;
}

const accountStatuses: ReadonlySet<number> = new Set([401, 402, 403]);
/** The provider says 400 to a key that is wrong or lacks an access level. */
const ofAccount =
  /\bapi ?key\b|\baccess (?:level|denied)\b|\bunauthori[sz]ed\b|\b(?:credits?|payment|funds)\b/i;

/** Requests to the API v4 with the key of an account. */
export function createElasticEmailClient(
  { id, secret }: Pick<OwnTransport, 'id' | 'secret'>,
  { outbound, endpoints }: Pick<OpenOptions, 'outbound' | 'endpoints'>,
): ElasticEmail {
  const base = endpoints?.elasticEmail ?? 'https://api.elasticemail.com/v4';
  const request: ElasticEmail['request'] = async (method, path, { query = {}, body, mayLeave } = {}) => {
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((of): [string, string] => [name, of]),
    );
    const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
    const response = await outbound.request({
      owner: id,
      url: `${base}${path}${search}`,
      method,
      headers: {
        'x-elasticemail-apikey': secret ?? '',
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(mayLeave === undefined ? {} : { mayLeave }),
      bounds: createJsonBounds(),
    });
    const parsed = parse(response.body);
    const { Error: error } = (parsed ?? {}) as { Error?: unknown };
    const said = typeof error === 'string' ? error : `Elastic Email responds with status ${response.status}.`;
    const { status } = response;
    // An address in the words may contain any of these.
    const isOfAccount =
      accountStatuses.has(status) || (status >= 400 && ofAccount.test(said.replaceAll(/\S+@\S+/g, '')));
    return { status, body: parsed, words: toWords(said, [secret]), isOfAccount };
  };
  const list: ElasticEmail['list'] = async (path, query) => {
    const { status, body, words, isOfAccount } = await request('GET', path, { query: query ?? {} });
    if (status !== 200 || !Array.isArray(body))
      throw new TransportCheckError(words, { isOfAccount: isOfAccount || status === 429 || status >= 500 });
    return body.filter((item) => typeof item === 'object' && item !== null) as Record<string, unknown>[];
  };
  return {
    request,
    list,
    listEvents: async (path, query) => (await list(`/events${path}`, query)).map(toEvent),
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function toEvent(item: Readonly<Record<string, unknown>>): ElasticEmailEvent {
  const textOf = (name: string) => {
    const value = item[name];
    return typeof value === 'string' ? value.slice(0, 1_000) : '';
  };
  return {
    type: textOf('EventType'),
    transaction: textOf('TransactionID'),
    to: textOf('To').toLowerCase(),
    channel: textOf('ChannelName'),
    category: textOf('MessageCategory'),
    message: textOf('Message'),
  };
}
