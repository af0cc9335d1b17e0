import type { ZoneRecords } from '../apps/server/src/testing/dns-server.ts';
import type { ProviderPerson } from '../apps/server/src/testing/oidc-provider.ts';

export interface Server {
  url: string;
  /** Opens the system mailbox in a browser. */
  mailboxUrl: string;
  /** Logs in as the owner of all tables. */
  databaseUrl: string;
  /** URL of the OpenID provider. */
  issuer: string;
  /** Takes records of the DNS that the server asks about sending domains. */
  recordsUrl: string;
  /** Where returned mail is taken. */
  smtpInPort: number;
  /** SECRET_KEY. */
  secretKey: string;
  /** Shared by all users of `createPerson`, with its hash: hashing takes a third of a second of CPU time. */
  password: string;
  passwordHash: string;
  /** For files that tests share. */
  folder: string;
}

/** The operator of the installation. */
export const operatorEmail = 'operator@people.example';

/** Another one, who edits the help. */
export const helpOperatorEmail = 'help-operator@people.example';

/** A third one, whose screens are inspected. */
export const watchingOperatorEmail = 'watching-operator@people.example';

/** Names of the installation in the records of sending domains. */
export const bounceDomain = 'bounce.reachout.example';
export const spfInclude = 'spf.reachout.example';

/** Label of the provider's button. */
export const providerName = 'Company login';

const variable = 'E2E_SERVER';

/** @returns the server of all tests, in a worker of the test runner */
export const sharedServer = (): Server => JSON.parse(process.env[variable] ?? '') as Server;

/** Passes the server to the workers of the test runner, which start later. */
export function shareServer(server: Server): void {
  process.env[variable] = JSON.stringify(server);
}

/** Creates an account at the provider. */
export async function addPersonAt({ issuer }: Server, person: ProviderPerson): Promise<void> {
  const { ok, status } = await fetch(`${issuer}/people`, { method: 'POST', body: JSON.stringify(person) });
  if (!ok) throw new Error(`The provider responded with ${status}.`);
}

/** Adds records to the DNS of the server, by name; they hold at once. */
export async function addRecords(
  { recordsUrl }: Server,
  records: Readonly<Record<string, ZoneRecords>>,
): Promise<void> {
  const { ok, status } = await fetch(recordsUrl, { method: 'POST', body: JSON.stringify(records) });
  if (!ok) throw new Error(`The DNS responded with ${status}.`);
}
