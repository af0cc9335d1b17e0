import { Text } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { Organization } from '@reachout/contract/organizations.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { NotFoundState } from '#web/ui/states.tsx';

/** Links to the dashboard within an organization, otherwise to the user's organizations. */
export default function NotFoundWithOwn({ organization }: { organization: Organization | undefined }) {
  const { t } = useTranslation();
  const own = useQueryClient().getQueryData(organizationsQuery.queryKey)?.items ?? [];
  useDocumentTitle(`${t('notFound.title')} · ${organization?.name ?? t('product')}`);
  if (organization || own.length === 0) {
    const home = organization && { to: '/o/$orgId', params: { orgId: organization.id } };
    return (
      <NotFoundState
        actions={
          <LinkButton variant="filled" {...(home ?? { to: '/' })}>
            {t('notFound.home')}
          </LinkButton>
        }
      />
    );
  }
  return (
    <NotFoundState
      actions={own.slice(0, 6).map(({ id, name }) => (
        <LinkButton key={id} to="/o/$orgId" params={{ orgId: id }}>
          {name}
        </LinkButton>
      ))}
      note={<Text mt="md">{t('notFound.own')}</Text>}
    />
  );
}
