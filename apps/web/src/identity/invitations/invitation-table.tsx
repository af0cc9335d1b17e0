import { CopyButton, Menu, Text } from '@mantine/core';
import type { Invitation } from '@reachout/contract/invitations.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { EmailText } from '#web/ui/email-text.tsx';

export function InvitationTable(table: TableState<Invitation>) {
  const { t } = useTranslation('settings');
  const { api, orgId } = useOrganization();
  const columns = useColumns();
  const [cancelling, setCancelling] = useState<Invitation>();
  const resend = useMutation(
    api.invitations.resend.mutationOptions({
      onSuccess: ({ email }) => notify(t('invitations.resent', { email })),
    }),
  );
  const cancel = useMutation(
    api.invitations.cancel.mutationOptions({ onSuccess: () => notify(t('invitations.cancelled')) }),
  );
  return (
    <>
      <ActionError error={resend.error} />
      <DataTable
        {...table}
        label={t('sections.invitations')}
        columns={columns}
        rowActions={(invitation) => (
          <InvitationMenu
            invitation={invitation}
            onResend={() => resend.mutate({ id: orgId, invitation_id: invitation.id })}
            onCancel={() => setCancelling(invitation)}
          />
        )}
        busy={table.busy || resend.isPending}
      />
      {cancelling && (
        <ConfirmDialog
          title={t('invitations.cancelQuestion', { email: cancelling.email })}
          confirmLabel={t('invitations.cancel')}
          onClose={() => setCancelling(undefined)}
          onConfirm={() => cancel.mutateAsync({ id: orgId, invitation_id: cancelling.id })}
        >
          <Text>{t('invitations.cancelEffect')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

function useColumns(): Column<Invitation>[] {
  const { t } = useTranslation(['settings', 'common']);
  const format = useFormat();
  const roleName = useRoleName();
  return [
    {
      header: t('invitations.email'),
      cell: (invitation) => <EmailText address={invitation.email} />,
    },
    {
      header: t('members.role'),
      cell: (invitation) => (
        <>
          {roleName(invitation)}
          {invitation.clients.length > 0 && (
            <Text size="xs" c="dimmed">
              {t('members.only', { clients: format.list(invitation.clients.map(({ name }) => name)) })}
            </Text>
          )}
        </>
      ),
    },
    {
      header: t('common:filter.status'),
      cell: ({ status, is_expired }) => (
        <StatusBadge status={status === 'pending' && is_expired ? 'expired' : status} />
      ),
    },
    {
      header: t('invitations.by'),
      cell: (invitation) => invitation.invited_by?.full_name ?? t('common:none'),
    },
    { header: t('invitations.sentAt'), cell: (invitation) => <Time at={invitation.created_at} /> },
    {
      header: t('invitations.expires'),
      cell: (invitation) =>
        invitation.status === 'pending' ? (
          <Time at={invitation.expires_at} as="dateTime" />
        ) : (
          t('common:none')
        ),
    },
  ];
}

interface MenuProps {
  invitation: Invitation;
  onResend: () => void;
  onCancel: () => void;
}

function InvitationMenu({ invitation, onResend, onCancel }: MenuProps) {
  const { t } = useTranslation(['settings', 'common']);
  const { can } = useOrganization();
  const { url } = invitation;
  if (invitation.status !== 'pending' || !(can('create', 'Invitation') || can('delete', 'Invitation')))
    return null;
  return (
    <RowMenu name={invitation.email}>
      {url !== null && (
        <CopyButton value={url}>
          {({ copy }) => (
            <Menu.Item
              onClick={() => {
                copy();
                notify(t('common:actions.copied'));
              }}
            >
              {t('link.copy')}
            </Menu.Item>
          )}
        </CopyButton>
      )}
      {can('create', 'Invitation') && <Menu.Item onClick={onResend}>{t('invitations.resend')}</Menu.Item>}
      {can('delete', 'Invitation') && (
        <Menu.Item c="var(--app-danger)" onClick={onCancel}>
          {t('invitations.cancel')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}
