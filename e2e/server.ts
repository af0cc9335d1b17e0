import type { ProviderPerson } from '../apps/server/src/testing/oidc-provider.ts';

export interface Server {
  url: string;
  /** Opens the system mailbox in a browser. */
  mailboxUrl: string;
  /** Logs in as the owner of all tables. */
  databaseUrl: string;
  /** The address of the provider where people can have an account to sign in with. */
  issuer: string;
  /** SECRET_KEY. */
  secretKey: string;
  /** Of everyone whom `createPerson` makes, and its hash: hashing takes a third of a second of a processor. */
  password: string;
  passwordHash: string;
  /** Where tests can leave files for each other. */
  folder: string;
}

/** Who runs the installation. */
export const operatorEmail = 'operator@people.example';

/** What the button of the provider says. */
export const providerName = 'Company login';

const variable = 'E2E_SERVER';

/** The server of all tests, from inside of a worker of the test runner. */
export const sharedServer = (): Server => JSON.parse(process.env[variable] ?? '') as Server;

/** Hands the server to the workers of the test runner, which start later. */
export function shareServer(server: Server): void {
  process.env[variable] = JSON.stringify(server);
}

/** Gives somebody an account at the provider. */
export async function addPersonAt({ issuer }: Server, person: ProviderPerson): Promise<void> {
  const { ok, status } = await fetch(`${issuer}/people`, { method: 'POST', body: JSON.stringify(person) });
  if (!ok) throw new Error(`The provider responded with ${status}.`);
}
