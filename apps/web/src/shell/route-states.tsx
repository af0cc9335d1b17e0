import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { OrganizationContext } from '../organizations/scope.ts';
import { isProblem } from '../platform/problem.ts';
import { CopyDetails, ForbiddenState, NotFoundState } from '../ui/states.tsx';

const NotFoundWithOwn = lazy(() => import('./not-found-with-own.tsx'));

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
  const page = (
    <Suspense fallback={<NotFoundState />}>
      <NotFoundWithOwn />
    </Suspense>
  );
  return inShell ? page : <main>{page}</main>;
}
