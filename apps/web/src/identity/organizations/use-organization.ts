import type { Action, RecordAttributes, Subject } from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { createContext, useContext } from 'react';
import type { Api } from '#web/platform/api.ts';
import { readLocal, writeLocal } from '#web/platform/local.ts';

// Apart from the operations themselves: what the sign-in page loads must not bring the API client along.

export interface OrganizationContext {
  organization: Organization;
  orgId: string;
  api: Api;
  /** The client whose records alone are shown; undefined: those of all clients. Lists, numbers and searches send it. */
  clientId: string | undefined;
  /** It can be read, not changed, whatever the role. */
  suspended: boolean;
  /** False when the rules could not be loaded: then everything is read-only. */
  rulesKnown: boolean;
  /** The owners, for a member who is limited to clients and has none yet; undefined for others. */
  clientWantedFrom: readonly string[] | undefined;
  /**
   * "May I": the same rules as on the server, which has the last word. Without a record: is there any that I may do this
   * to; rules can be limited to some clients or brands.
   */
  can: (action: Action, subject: Subject, record?: RecordAttributes) => boolean;
  /**
   * Whether the role allows it anywhere at all, whatever the state. What it never allows is left out of the screens; what
   * only the state forbids stays, with the reason. True while the rules are unknown: that passes.
   */
  canEver: (action: Action, subject: Subject) => boolean;
  /** How far the permission to read these goes, for what the server gives only to those who read enough. */
  readScopeOf: (subject: Subject) => AccessScope;
}

export const OrganizationContext = createContext<OrganizationContext | undefined>(undefined);

/** The organization in the address. Only below `/o/$orgId`. */
export function useOrganization(): OrganizationContext {
  const value = useContext(OrganizationContext);
  if (!value) throw new Error('useOrganization outside of an organization');
  return value;
}

/** The organization that was open last in this browser; if it is not one of these, the first. */
export function lastOrganization<T extends { id: string }>(own: readonly T[]): T | undefined {
  const last = readLocal('organization');
  return own.find(({ id }) => id === last) ?? own[0];
}
export const rememberOrganization = (id: string): void => writeLocal('organization', id);
