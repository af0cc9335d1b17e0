import { accessScopeOf, type AbilityRule } from '../abilities.ts';

/** In characters. */
export const maxSharePassword = 128;
export const maxShareUses = 1_000_000;

/** Whether a role with these rules administers the organization. */
export const isForAdministrators = (rules: readonly AbilityRule[]): boolean =>
  rules.some(
    ({ action, subject, inverted }) =>
      inverted !== true && [action].flat().includes('manage') && [subject].flat().includes('all'),
  );

/** Whether a role with these rules reads all content: a share knows no clients, to which reading could be limited. */
export const readsAllContent = (rules: AbilityRule[], organizationId: string): boolean =>
  accessScopeOf(rules, 'read', 'Content', organizationId) === 'all';
