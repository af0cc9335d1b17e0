import { Alert, Button, List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { isRecord, Problem } from '#web/platform/problem.ts';
import { endSession, useSession } from '#web/identity/auth/session.ts';
import { SectionCard } from '#web/ui/section-card.tsx';
import { TypedConfirmDialog } from '#web/ui/typed-confirm-dialog.tsx';

export function DeleteAccount() {
  const { t } = useTranslation('account');
  const session = useSession();
  const [asking, setAsking] = useState(false);
  return (
    <SectionCard title={t('data.delete')} hint={t('data.deleteBody')}>
      <Button c="var(--app-danger)" onClick={() => setAsking(true)}>
        {t('data.deleteAction')}
      </Button>
      {asking && session.is === 'signed_in' && (
        <DeleteDialog email={session.user.email} onClose={() => setAsking(false)} />
      )}
    </SectionCard>
  );
}

function DeleteDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const [kept, setKept] = useState<readonly Organization[]>();
  const remove = useMutation(
    api.me.delete.mutationOptions({
      // The user is signed out, so nothing can be refetched.
      meta: { refreshes: false },
      onSuccess: async () => {
        endSession();
        await navigate({ to: '/sign-in', search: { after: 'deleted' }, ignoreBlocker: true });
      },
    }),
  );
  const onConfirm = async () => {
    setKept(undefined);
    try {
      await remove.mutateAsync(undefined);
    } catch (error) {
      const organizations = lastOwnerOf(error);
      if (organizations === undefined) throw error;
      setKept(organizations);
    }
  };
  return (
    <TypedConfirmDialog
      title={t('data.deleteTitle')}
      text={t('data.deleteBody')}
      label={t('data.deleteConfirm', { email })}
      isMatch={(typed) => typed.toLowerCase() === email.toLowerCase()}
      mismatch={t('data.deleteMismatch')}
      confirmLabel={t('data.deleteAction')}
      cancelLabel={t('data.keep')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {kept && <LastOwner organizations={kept} />}
    </TypedConfirmDialog>
  );
}

interface Organization {
  id: string;
  name: string;
}

function LastOwner({ organizations }: { organizations: readonly Organization[] }) {
  const { t } = useTranslation('account');
  return (
    <Alert color="yellow" role="alert" title={t('data.lastOwner')}>
      <Text size="sm" mb="xs">
        {t('data.lastOwnerBody')}
      </Text>
      <List size="sm">
        {organizations.map(({ id, name }) => (
          <List.Item key={id}>
            <LinkAnchor to="/o/$orgId/settings/members" params={{ orgId: id }}>
              {name}
            </LinkAnchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function lastOwnerOf(error: unknown): Organization[] | undefined {
  if (!(error instanceof Problem) || error.code !== 'last_owner') return undefined;
  const { data } = error.extra;
  const list: unknown = isRecord(data) ? data['organizations'] : undefined;
  return Array.isArray(list)
    ? list.filter(
        (entry: unknown): entry is Organization =>
          isRecord(entry) && typeof entry['id'] === 'string' && typeof entry['name'] === 'string',
      )
    : [];
}
