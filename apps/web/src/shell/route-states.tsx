import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { OrganizationContext, organizationsQuery } from '../organizations/organizations.ts';
import { LinkButton } from '../platform/links.tsx';
import { isProblem } from '../platform/problem.ts';
import { CopyDetails, ForbiddenState, NotFoundState } from '../ui/states.tsx';

/** What is left when a whole route fails: say so, offer to load anew, keep the way out. */
export function RouteError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (isProblem(error, 404)) return <RouteNotFound />;
  if (isProblem(error, 403)) return <ForbiddenState />;
  const outdated = error instanceof TypeError && /dynamically imported module/.test(error.message);
  return (
    <Container size="sm" py={64} role="alert">
      <Stack align="flex-start">
        <Title order={1}>{t('error.title')}</Title>
        <Text>{outdated ? t('error.newVersion') : t('error.crashed')}</Text>
        <Button onClick={() => location.reload()}>{t('error.reload')}</Button>
        <CopyDetails error={error} />
      </Stack>
    </Container>
  );
}

/** Not found, with the way to what the person does have. */
export function RouteNotFound() {
  // Outside of an organization there is no shell, and its landmark is missing.
  const inShell = useContext(OrganizationContext) !== undefined;
  if (inShell) return <NotFoundWithOwn />;
  return (
    <main>
      <NotFoundWithOwn />
    </main>
  );
}

function NotFoundWithOwn() {
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
    >
      {own.length > 0 && <Text mt="md">{t('notFound.own')}</Text>}
    </NotFoundState>
  );
}
