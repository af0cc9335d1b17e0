import type { Action, RecordAttributes, Subject } from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import type { Organization } from '@reachout/contract/organizations.ts';
import { createContext, useContext } from 'react';
import type { Api } from '#web/platform/api.ts';
import { readLocal, writeLocal } from '#web/platform/local.ts';

// Separate from the operations, so that the sign-in page does not load the API client.

export interface OrganizationContext {
  organization: Organization;
  orgId: string;
  api: Api;
  /**
   * The client in the URL, otherwise the only client that the member is limited to; undefined for all clients. Lists,
   * metrics and searches send it.
   */
  clientId: string | undefined;
  /** Suspended: read-only for every role. */
  suspended: boolean;
  /** False if the rules could not be loaded: then everything is read-only. */
  rulesKnown: boolean;
  /** Names of the owners, for a member who is limited to clients and has none yet; undefined for others. */
  clientWantedFrom: readonly string[] | undefined;
  /**
   * Whether the user is allowed to do this, by the same rules as on the server, which has the last word. Without a record:
   * whether it is allowed on at least one, as rules can be limited to some clients or brands.
   */
  can: (action: Action, subject: Subject, record?: RecordAttributes) => boolean;
  /**
   * Whether the role allows it on at least one record, regardless of state. Controls for what it never allows are omitted;
   * those that only the present state forbids stay, with the reason. True while the rules are unknown, which is temporary.
   */
  canEver: (action: Action, subject: Subject) => boolean;
  /** The scope of the read permission, for data that the server only returns to users with a sufficient scope. */
  readScopeOf: (subject: Subject) => AccessScope;
}

export const OrganizationContext = createContext<OrganizationContext | undefined>(undefined);

/** The organization in the URL. Only below `/o/$orgId`. */
export function useOrganization(): OrganizationContext {
  const value = useContext(OrganizationContext);
  if (!value) throw new Error('useOrganization outside of an organization');
  return value;
}

/** The organization in the URL, on pages that also exist outside of one. */
export const useOptionalOrganization = (): OrganizationContext | undefined => useContext(OrganizationContext);

/** The organization last opened in this browser, or the first if it is not in the list. */
export function lastOrganization<T extends { id: string }>(own: readonly T[]): T | undefined {
  const last = readLocal('organization');
  return own.find(({ id }) => id === last) ?? own[0];
}
export const rememberOrganization = (id: string): void => writeLocal('organization', id);
