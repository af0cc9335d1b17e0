import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { execute } from '../platform/database/database.ts';
import { makeKeyOf } from './actors.ts';
import { createTestApp, type Person, type TestApp } from './app.ts';
import { listen } from './listen.ts';
import { createOrganization } from './create-organization.ts';

export interface PageRequest {
  /** Counted from 1 since the last `restart`. */
  number: number;
  offset: number;
}

export interface RemoteContacts {
  /** URL that an organization connects as its Directus. */
  endpoint: string;
  accessToken: string;
  /** Creates another token. */
  makeToken: (scopes: readonly string[]) => Promise<string>;
  app: TestApp;
  /** Database of the remote app. */
  owner: TestApp['owner'];
  organizationId: string;
  pages: PageRequest[];
  /** Called before a page is read; when it returns `false`, the server goes down. */
  onPage: (page: PageRequest) => Promise<boolean | void> | boolean | void;
  /** Called after any other request was executed; when it returns `false`, the response is lost. */
  onDone: (request: { method: string; path: string }) => Promise<boolean | void> | boolean | void;
  /** While false, every request's connection is closed. */
  isUp: boolean;
  restart: () => void;
  /** Adds contacts with random keys. */
  add: (count: number, prefix: string) => Promise<void>;
  connect: (app: TestApp, organizationId: string, as: Person) => Promise<void>;
  close: () => Promise<void>;
}

/** Serves the REST interface of an organization in another app with its own database, as an external content backend. */
export async function openRemoteContacts(): Promise<RemoteContacts> {
  const app = await createTestApp();
  const person = await app.signIn();
  const organizationId = await createOrganization(app, person, 'Elsewhere');
  const makeToken = async (scopes: readonly string[]) => {
    const key = await makeKeyOf(app, organizationId, person.userId, scopes);
    return key.token;
  };
  const accessToken = await makeToken(['content:read', 'content:write']);
  const server = createServer((request, response) => void respond(request, response));
  const remote: RemoteContacts = {
    endpoint: `http://127.0.0.1:${await listen(server)}/content/${organizationId}`,
    accessToken,
    makeToken,
    app,
    owner: app.owner,
    organizationId,
    pages: [],
    onPage: () => undefined,
    onDone: () => undefined,
    isUp: true,
    restart: () => {
      remote.pages = [];
      remote.onPage = () => undefined;
      remote.onDone = () => undefined;
      remote.isUp = true;
    },
    add: (count, prefix) => execute(app.owner)`
        insert into content_items (organization_id, collection, id, data)
        select ${organizationId}::uuid, 'contacts', gen_random_uuid(), jsonb_build_object(
          'email', ${prefix}::text || n || '@sink.example', 'first_name', 'Person ' || n, 'unsubscribed', false, 'country', 'DE')
        from generate_series(1, ${count}::int) n
      `,
    connect: async (at, id, as) => {
      const { endpoint, accessToken: access_token } = remote;
      const body = { endpoint, access_token };
      const connected = await at.request('PUT', `/api/organizations/${id}/content_backend`, { as, body });
      assert.equal(connected.status, 200, JSON.stringify(connected.body));
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isPage = url.pathname.endsWith('/items/contacts') && url.searchParams.has('limit');
    if (isPage && remote.isUp) {
      const page = { number: remote.pages.length + 1, offset: Number(url.searchParams.get('offset') ?? 0) };
      remote.pages.push(page);
      if ((await remote.onPage(page)) === false) remote.isUp = false;
    }
    if (!remote.isUp) {
      request.socket.destroy();
      return;
    }
    const body: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) body.push(part);
    const { host: _, ...headers } = request.headers;
    const injected = await app.app.inject({
      method: request.method as 'GET',
      url: request.url ?? '/',
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { payload: Buffer.concat(body) }),
    });
    if (!isPage && (await remote.onDone({ method: request.method!, path: url.pathname })) === false) {
      request.socket.destroy();
      return;
    }
    const { 'transfer-encoding': __, connection: ___, ...sent } = injected.headers;
    response.writeHead(injected.statusCode, sent as Record<string, string>);
    response.end(injected.rawPayload);
  }

  return remote;
}
