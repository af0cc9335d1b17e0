import type { FastifyInstance, FastifyReply } from 'fastify';
import type { DemoOffer } from '../../identity/auth/demo-offer.ts';
import type { Auth } from '../../identity/auth/auth.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { createTerminalKey, isAtHome } from '../../platform/terminal-key.ts';
import { hasUser } from './demo.queries.ts';

/** Grants access to the demo to anyone who can see the server's terminal. */
export interface DemoKey {
  /** Signs in, any number of times. The sign-in page then offers the demo in the browser that opened the link. */
  link: string;
  /** What the sign-in page offers a browser. @param cookies  cookie header of its request */
  offerTo: (cookies: string | undefined) => Promise<DemoOffer>;
  /** Serves the link and the URL that the sign-in page links to. */
  register: (app: FastifyInstance) => void;
}

interface Deps {
  config: Pick<Config, 'databaseUrl' | 'smtpUrl' | 'host' | 'publicUrl' | 'secretKey'>;
  auth: Pick<Auth, 'makeSignInLink'>;
  authDb: Database;
}

/** @returns undefined if a mail server is set or the server is reachable from other hosts: links are single-use then */
export function createDemoKey({ config, auth, authDb }: Deps): DemoKey | undefined {
  const key = createTerminalKey(config, {
    purpose: 'demo',
    cookieName: 'reachout_demo',
    path: linkPath,
  });
  if (key === undefined) return undefined;
  /** Signs in with an internal single-use link, so that all rules for such links apply here, too. */
  const signIn = async (reply: FastifyReply, isAllowed: boolean) => {
    const target =
      isAllowed && (await hasDemo(authDb))
        ? await auth.makeSignInLink(demoEmail)
        : `${config.publicUrl}/sign-in`;
    return await reply.header('cache-control', 'no-store').redirect(target);
  };
  return {
    link: key.link,
    offerTo: async (cookies) => {
      const isKnown = key.isIn(cookies);
      if ((!isKnown && !hasDemoByDefault(config)) || !(await hasDemo(authDb))) return null;
      return isKnown ? 'open' : 'needs_link';
    },
    register: (app) => {
      app.get<{ Params: { key: string } }>(`${linkPath}:key`, async ({ params }, reply) => {
        const isRight = key.isRight(params.key);
        if (isRight) reply.header('set-cookie', key.cookie);
        return await signIn(reply, isRight);
      });
      app.get('/demo/open', async ({ headers }, reply) => await signIn(reply, key.isIn(headers.cookie)));
    },
  };
}

const linkPath = '/demo/key/';

export const demoEmail = 'demo@reachout.example';

/**
 * Only an installation that is not reachable from other hosts has a demo by default: each start prints a sign-in link. On
 * other installations, the operator must request the demo.
 */
export const hasDemoByDefault = (
  config: Pick<Config, 'databaseUrl' | 'smtpUrl' | 'host' | 'publicUrl'>,
): boolean => config.databaseUrl === undefined && isAtHome(config);

/** Whether the demo user has an account on this installation. */
export const hasDemo = (db: Database): Promise<boolean> => hasUser(db, demoEmail);
