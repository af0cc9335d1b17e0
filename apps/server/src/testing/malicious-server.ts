import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listen } from './listen.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (status: number, body: unknown): Answer =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

const id = '01900000-0000-7000-8000-000000000001';
const bomb = gzipSync(Buffer.alloc(100_000_000, 32));

/** Malicious responses of a content backend to a request for items, and their class of failure; null when items are read. */
export const misbehaviors: Record<string, { failure: string | null; answer: Answer }> = {
  'an endless body': {
    failure: 'too_large',
    answer: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = 'x'.repeat(65_536);
      const more = () => {
        while (response.write(chunk));
      };
      response.on('drain', more);
      more();
    },
  },
  'a few bytes that become many': {
    failure: 'too_large',
    answer: (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(bomb),
  },
  'a slow drip': {
    failure: 'timeout',
    answer: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
  },
  'no answer': { failure: 'timeout', answer: () => {} },
  'a broken connection': { failure: 'connection', answer: (request) => void request.socket.destroy() },
  'a web page': {
    failure: 'malformed',
    answer: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
  },
  'broken JSON': { failure: 'malformed', answer: json(200, '{"data":[') },
  'text for a list': { failure: 'malformed', answer: json(200, { data: 'all of them' }) },
  'numbers for items': { failure: 'malformed', answer: json(200, { data: [1, 2] }) },
  'objects for keys': { failure: 'malformed', answer: json(200, { data: [{ id: {} }] }) },
  'more items than asked for': {
    failure: 'malformed',
    answer: json(200, { data: Array.from({ length: 2_000 }, (_, n) => ({ id: n })) }),
  },
  'a million fields': {
    failure: 'too_large',
    answer: json(
      200,
      `{"data":[{${Array.from({ length: 1_000_000 }, (_, n) => `"f${n}":1`).join(',')}}]}`.slice(
        0,
        9_000_000,
      ),
    ),
  },
  'a depth of 100,000': {
    failure: 'too_large',
    answer: json(200, `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  },
  'as many values as are read': {
    failure: 'malformed',
    answer: json(200, `{"data":[{${Array.from({ length: 14_900 }, (_, n) => `"f${n}":${n}`).join(',')}}]}`),
  },
  'an error of its own': { failure: 'status', answer: json(500, { errors: [{ message: 'No.' }] }) },
  'a token that was revoked': {
    failure: 'credentials',
    answer: json(401, {
      errors: [{ message: 'Invalid user credentials.', extensions: { code: 'INVALID_CREDENTIALS' } }],
    }),
  },
  'its token in an error': {
    failure: 'rejected',
    answer: ({ headers: { authorization = '' } }, response) => {
      const token = authorization.slice('Bearer '.length);
      const extensions = { code: 'FAILED', field: token };
      json(400, { errors: [{ message: `${authorization}, ${token}`, extensions }] })({} as never, response);
    },
  },
  'its token in an item': {
    failure: null,
    answer: ({ headers: { authorization = '' }, url = '' }, response) => {
      const token = authorization.slice('Bearer '.length);
      const item = { id, email: token, city: `x${authorization}x` };
      json(200, { data: url.includes('aggregate') ? [{ count: 1, [token]: token }] : [item] })(
        {} as never,
        response,
      );
    },
  },
  'names of prototypes': {
    failure: null,
    answer: ({ url = '' }, response) =>
      json(
        200,
        url.includes('aggregate')
          ? '{"data":[{"count":1,"__proto__":{"polluted":true}}]}'
          : `{"data":[{"id":"${id}","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}]}`,
      )({} as never, response),
  },
};

const collection = (name: string, meta: object | null = null) => ({ collection: name, schema: {}, meta });
const key = { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: null };

/** A schema that cannot be stored as it is received. */
const schema: Record<string, unknown> = {
  '/server/info': { version: '12.4.1\u0000 at 10.0.0.7' },
  '/users/me': { id },
  '/collections': [
    ...['contacts', 'contacts', '__proto__', 'constructor', '../../users', 'directus_users'].map((name) =>
      collection(name),
    ),
    collection('secret', { hidden: true }),
    { collection: { name: 'x' }, schema: {} },
    { collection: 'nothing' },
  ],
  '/fields': [
    { ...key, collection: 'contacts' },
    { ...key, collection: 'contacts' },
    { collection: 'contacts', field: 'city', type: 'string', schema: { default_value: 'x\u0000' } },
    { collection: 'contacts', field: 'state', type: 'string', schema: { default_value: '\ud800' } },
    { collection: 'contacts', field: '__proto__', type: 'string', schema: {}, meta: {} },
    { collection: 'contacts', field: 'size', type: 'string', meta: { sort: 1e300, options: 7 } },
    {
      collection: 'contacts',
      field: 'choice',
      type: 'string',
      meta: { interface: 'select-dropdown', options: { choices: [{ value: 'a\u0000' }] } },
    },
  ],
};

export interface MaliciousServer {
  port: number;
  /** @returns a URL at which every request gets this misbehavior */
  urlOf: (misbehavior: string) => string;
  /** URL of a backend that can be connected. The `search` text, else `behave`, selects the misbehavior for items. */
  url: string;
  behave: (misbehavior: string | undefined) => void;
  /** @returns the id of a file whose content request gets this misbehavior */
  fileOf: (misbehavior: string) => string;
  /** Closes all connections, including those with incomplete responses. */
  hangUp: () => void;
  close: () => void;
}

export async function startMaliciousServer(): Promise<MaliciousServer> {
  let current: string | undefined;
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://cms.example');
    const [, place = '', ...path] = pathname.split('/');
    const wanted = place === 'cms' ? (searchParams.get('search') ?? current) : decodeURIComponent(place);
    const isForItems = path[0] === 'items';
    const file = path[0] === 'assets' ? (place === 'cms' ? nameOfFile(path[1]) : wanted) : undefined;
    const what = isForItems ? wanted : file;
    const answer = what === undefined ? undefined : misbehaviors[what]?.answer;
    (answer ?? answerWell)(request, response);
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/cms`,
    urlOf: (misbehavior) => `http://127.0.0.1:${port}/${encodeURIComponent(misbehavior)}`,
    fileOf: (misbehavior) => `${files}${Object.keys(misbehaviors).indexOf(misbehavior) + 10}`,
    behave: (misbehavior) => {
      current = misbehavior;
    },
    hangUp: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Prefix of file ids; the last two digits select the misbehavior. */
const files = '01900000-0000-7000-8000-0000000000';
const nameOfFile = (file = ''): string | undefined =>
  Object.keys(misbehaviors)[Number(file.slice(files.length)) - 10];

/** Claims to be an image, whatever its bytes are; cutting its cleaned name at 200 characters splits a surrogate pair. */
const rowOf = (file: string) => ({
  id: file,
  filename_download: `../report\u202egnp.\u0000html${'x'.repeat(183)}🎈`,
  type: 'image/png',
  filesize: '70',
  uploaded_on: '2026-03-01T08:00:00.000Z',
});

const answerWell: Answer = (request, response) => {
  const path = (request.url ?? '').replace(/^\/[^/]*/, '').replace(/\?.*/, '');
  if (path === '/server/ping') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('pong');
    return;
  }
  const file = /^\/files\/(.+)/.exec(path)?.[1];
  if (file !== undefined) {
    json(200, { data: rowOf(file) })(request, response);
    return;
  }
  const isCount = (request.url ?? '').includes('aggregate');
  const ofCollection = path.startsWith('/fields/') ? schema['/fields'] : undefined;
  const data = schema[path] ?? ofCollection ?? (isCount ? [{ count: 1 }] : [{ id, email: 'a@x.example' }]);
  json(200, { data })(request, response);
};
