import type { Config } from '../apps/server/src/platform/config.ts';
import { isLoopback } from '../apps/server/src/platform/loopback.ts';
import type { ReturnRoute } from './ask-returned-mail.ts';

export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  /** One line: what was found and, if needed, what to do. */
  text: string;
}

/** Facts from the settings that no request can show. */
export interface Machine {
  config: Config;
  environment: Record<string, string | undefined>;
  /** Result of `listConfigRisks`. */
  risks: string[];
  nodeVersion: string;
  /** The version in `.node-version`. */
  testedNodeVersion: string;
  /** Undefined if the database could not be queried. */
  hasDemo: boolean | undefined;
  /** Problem of the mail server in SMTP_URL; undefined if it answers, or none is set. */
  mailProblem: string | undefined;
  /** Undefined without a mail server. */
  returnRoute: ReturnRoute | undefined;
}

const ok = (text: string): Finding => ({ level: 'ok', text });
const warn = (text: string): Finding => ({ level: 'warn', text });
const fail = (text: string): Finding => ({ level: 'fail', text });

/** Checks the settings of an installation. */
export function diagnoseMachine(machine: Machine): Finding[] {
  const { config, environment, risks, nodeVersion, testedNodeVersion, hasDemo, mailProblem } = machine;
  const { smtpUrl, senderDomains, databaseUrl } = config;
  const isPublic = !isLoopback(new URL(config.publicUrl).hostname);
  return [
    isPublic
      ? ok(`PUBLIC_URL is ${config.publicUrl}.`)
      : warn(
          `PUBLIC_URL is ${config.publicUrl}: only this machine can use its links. Set the public address.`,
        ),
    smtpUrl === undefined
      ? warn('SMTP_URL is not set: all email stays in the built-in mailbox of this machine.')
      : senderDomains.length === 0
        ? fail('SENDER_DOMAINS is not set: nothing can be sent. List the domains of senders.')
        : ok(`Senders are at ${senderDomains.join(', ')}.`),
    ...(smtpUrl === undefined ? [] : [diagnoseMailServer(mailProblem)]),
    ...(machine.returnRoute === undefined ? [] : diagnoseReturnedMail(config, machine.returnRoute)),
    environment['SECRET_KEY']
      ? ok('SECRET_KEY is set, and strong enough.')
      : warn(
          'SECRET_KEY is not set: the random one is in DATA_DIR, beside the data. Keep a copy elsewhere, or set it.',
        ),
    ...risks.map(warn),
    ...(databaseUrl !== undefined && !risks.some((risk) => risk.startsWith('DATABASE_'))
      ? [ok('The connection to the database stays on this machine or is encrypted.')]
      : []),
    hasDemo === undefined
      ? warn('The database could not be asked whether there is a demo.')
      : !hasDemo
        ? ok('There is no demo.')
        : smtpUrl === undefined && !isPublic
          ? warn('There is a demo organization. Its link in the terminal signs in.')
          : fail(
              'There is a demo organization. Delete the account demo@reachout.example: sign in by the link of npm start -- --demo.',
            ),
    nodeVersion === testedNodeVersion
      ? ok(`Node.js is ${nodeVersion}.`)
      : warn(
          `Node.js is ${nodeVersion}; the product is tested with ${testedNodeVersion}. Start it with npm start.`,
        ),
  ];
}

const diagnoseMailServer = (problem: string | undefined): Finding =>
  problem === undefined
    ? ok('The mail server of SMTP_URL answers.')
    : fail(
        `The mail server of SMTP_URL does not answer as one (${problem}): no email leaves. Check its address, and that this machine may reach its port.`,
      );

/** Says where mail to the bounce host goes, and whether it is read there. */
function diagnoseReturnedMail(
  { bounceDomain, inbound }: Config,
  { servers, isHere, problem }: ReturnRoute,
): Finding[] {
  const route = servers?.join(', ');
  return [
    inbound === undefined
      ? warn(
          'SMTP_IN_PORT is not set: nobody reads returned mail. Addresses that reject messages only after the mail server accepted them stay in use.',
        )
      : problem === undefined
        ? ok(`Returned mail is taken on port ${inbound.port}.`)
        : fail(`The listener for returned mail does not answer on port ${inbound.port} (${problem}).`),
    route === undefined
      ? warn(`The DNS gave no answer where mail to ${bounceDomain} goes.`)
      : route === ''
        ? fail(`Mail to ${bounceDomain} goes nowhere. Add an MX record to BOUNCE_DOMAIN.`)
        : isHere
          ? ok(`Mail to ${bounceDomain} goes to ${route}: this machine.`)
          : warn(
              `Mail to ${bounceDomain} goes to ${route}, which is no address of this machine. It has to pass on mail to this host, and to bounce.* of customers.`,
            ),
  ];
}

const timeoutMs = 10_000;

/**
 * Checks a running installation with unauthenticated requests.
 * @param base  its origin
 * @param isPublic  whether it can be reached from other machines there
 */
export async function diagnoseInstallation(
  base: string,
  isPublic = !isLoopback(new URL(base).hostname),
): Promise<Finding[]> {
  const { protocol, host } = new URL(base);
  const live = await ask(base, '/api/health/live');
  if (live instanceof Error) return [fail(`${base} does not answer: ${describe(live)}.`)];
  return [
    live.status === 200
      ? ok(`${base} answers.`)
      : fail(`${base}/api/health/live answers ${live.status}. Is it Reachout?`),
    await diagnoseReady(base),
    ...(isPublic ? [...diagnoseHttps(protocol, live), ...(await diagnosePlainHttp(protocol, host))] : []),
    diagnoseHeaders(live),
    await diagnoseCookies(base, protocol, isPublic),
    await diagnoseMailbox(base, isPublic),
    await diagnoseSignUp(base, isPublic),
  ];
}

async function diagnoseReady(base: string): Promise<Finding> {
  const ready = await ask(base, '/api/health/ready');
  if (!(ready instanceof Error) && ready.status === 200) return ok('Its database is ready.');
  return fail('It is not ready: its database takes no writes. See the log of the server.');
}

function diagnoseHttps(protocol: string, { headers }: Response): Finding[] {
  if (protocol !== 'https:')
    return [
      fail(
        'It is reached over http://: passwords and cookies cross the network in clear text. Put a proxy with TLS before it, and set PUBLIC_URL to its https:// address.',
      ),
    ];
  const seconds = Number(/max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1] ?? 0);
  return [
    seconds >= 15_552_000
      ? ok('It is reached over HTTPS, with HSTS.')
      : fail(
          'It sends no HSTS header for half a year or longer. Set PUBLIC_URL to the https:// address, and let the proxy pass the header on.',
        ),
  ];
}

/** Checks that the same host without TLS shows no page, or redirects to HTTPS. */
async function diagnosePlainHttp(protocol: string, host: string): Promise<Finding[]> {
  // With an explicit port, the plain HTTP port that browsers would try is unknown.
  if (protocol !== 'https:' || host.includes(':')) return [];
  const plain = await ask(`http://${host}`, '/api/health/live');
  const isClosed = plain instanceof Error || plain.headers.get('location')?.startsWith('https://') === true;
  return [
    isClosed
      ? ok('http:// shows no page.')
      : fail('http:// answers with a page. Let the proxy redirect it to https://.'),
  ];
}

function diagnoseHeaders({ headers }: Response): Finding {
  const wanted = [
    ['content-security-policy', /frame-ancestors 'none'/],
    ['x-content-type-options', /^nosniff$/],
    ['referrer-policy', /\S/],
    ['cross-origin-opener-policy', /^same-origin$/],
  ] as const;
  const missing = wanted
    .filter(([name, value]) => !value.test(headers.get(name) ?? ''))
    .map(([name]) => name);
  return missing.length === 0
    ? ok('Responses carry the security headers.')
    : fail(`Responses lack ${missing.join(', ')}. Let the proxy pass on what the server sends.`);
}

/** Requests a sign-in code for an address that cannot exist: the response sets the pending-auth cookie. */
async function diagnoseCookies(base: string, protocol: string, isPublic: boolean): Promise<Finding> {
  const answer = await ask(base, '/api/auth/sign-in/code', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(base).origin },
    body: JSON.stringify({ email: 'doctor@reachout.invalid' }),
  });
  if (answer instanceof Error) return fail(`Signing in does not answer: ${describe(answer)}.`);
  const cookies = answer.headers.getSetCookie();
  if (answer.status === 403)
    return fail(
      `Pages at ${base} cannot sign in: the server has another PUBLIC_URL. Set it to the address that people use.`,
    );
  if (answer.status === 429)
    return warn('Cookies were not looked at: too many attempts. Try again in an hour.');
  if (cookies.length === 0) return fail(`Signing in set no cookie (status ${answer.status}).`);
  const isSafe = cookies.every((cookie) => /; HttpOnly/i.test(cookie) && /; SameSite=/i.test(cookie));
  const isSecure = cookies.every((cookie) => cookie.startsWith('__Host-') && /; Secure/i.test(cookie));
  if (isSafe && (isSecure || (!isPublic && protocol === 'http:')))
    return ok(isSecure ? 'Cookies are Secure.' : 'Cookies stay on this machine.');
  return fail('Cookies are not Secure. Set PUBLIC_URL to the https:// address.');
}

async function diagnoseMailbox(base: string, isPublic: boolean): Promise<Finding> {
  const mailbox = await ask(base, '/api/system_mailbox');
  if (mailbox instanceof Error) return fail(`The mailbox does not answer: ${describe(mailbox)}.`);
  if (mailbox.status !== 200) return ok('The built-in mailbox is closed to strangers.');
  const text = 'The built-in mailbox shows sign-in links to everybody who can ask here.';
  return isPublic ? fail(`${text} Set SMTP_URL.`) : warn(text);
}

async function diagnoseSignUp(base: string, isPublic: boolean): Promise<Finding> {
  const answer = await ask(base, '/api/auth/options');
  const options: unknown =
    answer instanceof Error || answer.status !== 200 ? undefined : await answer.json().catch(() => undefined);
  const signUp =
    typeof options === 'object' && options !== null && 'sign_up' in options ? options.sign_up : undefined;
  if (signUp === 'invited') return ok('Sign-up is for invited people.');
  if (signUp === 'closed') return ok('Sign-up is closed.');
  if (signUp !== 'open') return fail('It does not say who can sign up.');
  return isPublic
    ? warn('Everybody can sign up. Set SIGN_UP=invited, unless that is what you want.')
    : ok('Everybody on this machine can sign up.');
}

async function ask(base: string, path: string, init: RequestInit = {}): Promise<Response | Error> {
  try {
    return await fetch(new URL(path, base), {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Describes the cause of a `fetch` error, whose own message only says that it failed. */
function describe({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
