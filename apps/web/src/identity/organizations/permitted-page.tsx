import { useDocumentTitle } from '@mantine/hooks';
import type { Action, Subject } from '@reachout/contract/abilities.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ownersQuery } from '#web/identity/members/use-is-last-owner.ts';
import { useFormat } from '#web/i18n/format.ts';
import { ForbiddenState } from '#web/ui/states.tsx';
import { useOrganization } from './use-organization.ts';
import { useDenialReason } from './use-denial-reason.ts';

/** F: a page whose URL was opened without permission. Names who can grant it, if the user can see that. */
export function PermittedPage({
  permission,
  children,
}: {
  /** All are required; the first missing one is named. */
  permission: readonly (readonly [Action, Subject])[];
  children: ReactNode;
}) {
  const denialReasonFor = useDenialReason();
  const [denialReason] = permission.flatMap(([action, subject]) => denialReasonFor(action, subject) ?? []);
  return denialReason === undefined ? children : <Forbidden denialReason={denialReason} />;
}

function Forbidden({ denialReason }: { denialReason: string }) {
  const { t } = useTranslation(['organizations', 'common']);
  const format = useFormat();
  const scope = useOrganization();
  const { organization, can, suspended } = scope;
  const title = `${t('common:forbidden.title')} · ${organization.name}`;
  useDocumentTitle(title);
  const { data } = useQuery({
    ...ownersQuery(scope),
    enabled: can('read', 'Member') && !suspended,
  });
  const names = data?.items.map((owner) => owner.user.full_name) ?? [];
  return (
    <ForbiddenState
      text={
        names.length === 0 ? denialReason : `${denialReason} ${t('owners', { names: format.list(names) })}`
      }
    />
  );
}
