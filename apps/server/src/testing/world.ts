import { before } from 'node:test';
import { createStartingCollections } from '../content/built-in/starting-collections.ts';
import { inOrganization } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import {
  buildBrand,
  buildCampaign,
  buildClient,
  buildFilter,
  buildOrganization,
  buildTouchpoint,
} from '../sample/records.ts';
import { signInGuest } from './actors.ts';
import type { Person, TestApp } from './app.ts';
import { rowsOf } from './rows-of.ts';

/** A client and what belongs to it. */
export interface WorldBranch {
  clientId: string;
  brandId: string;
  campaignId: string;
  /** A touchpoint of the campaign. */
  emailId: string;
  /** A touchpoint of the campaign, which is active. */
  websiteId: string;
  /** Inserts rows of a table, with the ids above in its columns, as far as the suite has read them. */
  insert: ReturnType<typeof rowsOf>;
}

/** An organization with people, and a client with its brand. */
export interface World extends WorldBranch {
  organizationId: string;
  /** Path of its content, which has the collections that an organization begins with. */
  base: string;
  owner: Person;
  admin: Person;
  editor: Person;
  analyst: Person;
  /** Limited to the client. */
  guest: Person;
  /** Signed in, and a member of no organization. */
  outsider: Person;
  /** An audience of all contacts. */
  filterId: string;
  /** @returns another client, named like this, with its own brand and so on */
  branch: (name: string) => WorldBranch;
}

/**
 * Gives a suite an organization of its own. Only the parts are made that the suite reads, which it does outside of tests: ids
 * are known there, people get their headers in a hook.
 */
export function useWorld(app: TestApp): World {
  const { world, make } = planWorld(app);
  before(make);
  return world;
}

/** Makes an organization within a test. */
export async function newWorld<Part extends keyof World>(
  app: TestApp,
  ...parts: Part[]
): Promise<Pick<World, Part | 'organizationId'>> {
  const { world, make } = planWorld(app);
  for (const part of parts) void world[part];
  await make();
  return world;
}

function planWorld(app: TestApp): { world: World; make: () => Promise<void> } {
  const steps: (() => Promise<unknown>)[] = [];
  let isMade = false;
  const plan = <T>(part: T, makePart: (part: T) => Promise<unknown>): T => {
    if (isMade) throw new Error('A part of the world is first read after the world was made.');
    steps.push(() => makePart(part));
    return part;
  };
  const make = async () => {
    isMade = true;
    for (const step of steps) await step();
  };

  const organizationId = plan(newId(), (id) => buildOrganization(app.owner, { id, name: 'Agency' }));
  const ofOrganization = { organization_id: organizationId };
  const person = (signIn: () => Promise<Person>) =>
    plan({} as Person, async (planned) => Object.assign(planned, await signIn()));
  const member = (role: string) => () => person(() => app.signInMember(organizationId, role));
  const branch = (name: string): Makers<WorldBranch> => {
    const known: Record<string, string> = { ...ofOrganization };
    const row = (key: string, build: (id: string) => Promise<unknown>) => (known[key] = plan(newId(), build));
    return {
      clientId: () => row('client_id', (id) => buildClient(app.owner, { ...ofOrganization, id, name })),
      brandId: ({ clientId: client_id }) =>
        row('brand_id', (id) => buildBrand(app.owner, { id, client_id, name: `${name} brand` })),
      campaignId: ({ brandId: brand_id }) =>
        row('campaign_id', (id) => buildCampaign(app.owner, { id, brand_id, name: `${name} campaign` })),
      emailId: ({ campaignId: campaign_id }) =>
        row('touchpoint_id', (id) => buildTouchpoint(app.owner, { id, campaign_id, name: `${name} news` })),
      websiteId: ({ campaignId: campaign_id }) =>
        plan(newId(), (id) =>
          buildTouchpoint(app.owner, {
            id,
            campaign_id,
            name: `${name} shop`,
            type: 'website',
            status: 'active',
          }),
        ),
      insert:
        () =>
        (table, ...rows) =>
          rowsOf(app.owner, known)(table, ...rows),
    };
  };

  const world = lazily<World>({
    ...branch('Nordwind'),
    organizationId: () => organizationId,
    base: () =>
      plan(`/api/content/${organizationId}`, () =>
        inOrganization(app.services.db, organizationId, (trx) =>
          createStartingCollections(trx, organizationId),
        ),
      ),
    owner: member('owner'),
    admin: member('admin'),
    editor: member('editor'),
    analyst: member('analyst'),
    guest: ({ clientId }) => person(() => signInGuest(app, organizationId, [clientId])),
    outsider: () => person(() => app.signIn()),
    filterId: () => plan(newId(), (id) => buildFilter(app.owner, { ...ofOrganization, id })),
    branch: () => (name) => lazily(branch(name)),
  });
  return { world, make };
}

type Makers<Parts> = { [Part in keyof Parts]: (parts: Parts) => Parts[Part] };

/** @returns an object whose parts are made when they are first read */
function lazily<Parts extends object>(makers: Makers<Parts>): Parts {
  const parts = {} as Parts;
  for (const part of Object.keys(makers) as (keyof Parts)[])
    Object.defineProperty(parts, part, {
      configurable: true,
      get: () => {
        const value = makers[part](parts);
        Object.defineProperty(parts, part, { value });
        return value;
      },
    });
  return parts;
}
