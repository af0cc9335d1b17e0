import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { organizationsQuery } from '#web/identity/organizations/organizations.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { NotFoundState } from '#web/ui/states.tsx';

export default function NotFoundWithOwn() {
  const { t } = useTranslation();
  const own = useQueryClient().getQueryData(organizationsQuery.queryKey)?.items ?? [];
  return (
    <NotFoundState
      actions={
        own.length === 0 ? (
          <LinkButton to="/">{t('notFound.home')}</LinkButton>
        ) : (
          own.slice(0, 6).map((organization) => (
            <LinkButton
              key={organization.id}
              variant="default"
              to="/o/$orgId"
              params={{ orgId: organization.id }}
            >
              {organization.name}
            </LinkButton>
          ))
        )
      }
      note={own.length > 0 && <Text mt="md">{t('notFound.own')}</Text>}
    />
  );
}
