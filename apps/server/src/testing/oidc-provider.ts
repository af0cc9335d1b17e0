import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

/** A user with an account at the provider. */
export interface ProviderPerson {
  /** The provider's own id. */
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
}

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Adds a user, or changes their claims. */
  add: (person: ProviderPerson) => void;
  close: () => Promise<void>;
}

/**
 * Starts a real OpenID provider on the loopback interface. Its sign-in page is a form with one field, `email`, without a
 * password; users can also cancel. It asks for no consent.
 * @param redirectUris  exact, such as `http://localhost:3000/api/auth/callback/oidc`
 * @param options.port  default: a free port
 */
export async function startOidcProvider(
  redirectUris: string[],
  { port = 0 }: { port?: number } = {},
): Promise<TestProvider> {
  const people = new Map<string, ProviderPerson>();
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientId = 'reachout';
  const clientSecret = randomBytes(24).toString('base64url');
  const provider = createProvider(issuer, { clientId, clientSecret, redirectUris, people });

  const answerProtocol = provider.callback();
  server.on('request', (request, response) => {
    const fail = (error: unknown) => response.writeHead(400).end(String(error));
    if (request.url?.startsWith('/interaction/'))
      void signIn(provider, people, request, response).catch(fail);
    else if (request.url === '/people') void takePerson(people, request, response).catch(fail);
    else void answerProtocol(request, response);
  });
  return {
    issuer,
    clientId,
    clientSecret,
    add: (person) => people.set(person.sub, person),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The HTTP counterpart of `add`, for other processes. */
async function takePerson(
  people: Map<string, ProviderPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const person = JSON.parse(await text(request)) as ProviderPerson;
  people.set(person.sub, person);
  response.writeHead(204).end();
}

function createProvider(
  issuer: string,
  given: {
    clientId: string;
    clientSecret: string;
    redirectUris: string[];
    people: ReadonlyMap<string, ProviderPerson>;
  },
): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const hour = 3_600;
  return new Provider(issuer, {
    clients: [
      {
        client_id: given.clientId,
        client_secret: given.clientSecret,
        redirect_uris: given.redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const person = given.people.get(sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      IdToken: hour,
      Interaction: hour,
      Session: hour,
      Grant: hour,
    },
  });
}

/** GET shows the form, POST submits it. */
async function signIn(
  provider: Provider,
  people: ReadonlyMap<string, ProviderPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        '<!doctype html><title>Provider</title><form method="post"><label>Email <input name="email" autofocus></label><button>Sign in</button><button name="cancel" value="yes">Cancel</button></form>',
      );
    return;
  }
  const form = new URLSearchParams(await text(request));
  if (form.has('cancel')) {
    await provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'The person did not want to.',
    });
    return;
  }
  const email = form.get('email');
  const person = [...people.values()].find((one) => one.email === email);
  if (person === undefined) throw new Error('The provider knows nobody with this address.');
  await provider.interactionFinished(request, response, { login: { accountId: person.sub } });
}
