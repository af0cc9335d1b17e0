import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useContext, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { checkConnection, isAway, onConnectionChange, useConnection } from '#web/platform/connection.ts';
import { isChunkError } from '#web/platform/lazy-chunks.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { isProblem } from '#web/platform/problem.ts';
import { CopyDetails, ForbiddenState, NotFoundState } from '#web/ui/states.tsx';

const NotFoundWithOwn = lazyPart(() => import('./not-found-with-own.tsx'), { fallback: <NotFoundState /> });

/** Shown when a whole route fails: explains it, offers a reload, and keeps the navigation. */
export function RouteError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (isProblem(error, 404)) return <RouteNotFound />;
  if (isProblem(error, 403)) return <ForbiddenState />;
  if (isChunkError(error) || isProblem(error, 0)) return <ConnectionError error={error} />;
  return (
    <Container size="sm" py={64} role="alert">
      <Stack align="flex-start">
        <Title order={1}>{t('error.title')}</Title>
        <Text>{t('error.crashed')}</Text>
        <Button variant="filled" onClick={() => location.reload()}>
          {t('error.reload')}
        </Button>
        <CopyDetails error={error} />
      </Stack>
    </Container>
  );
}

/** The page could not be loaded. It loads automatically as soon as the server can be reached again. */
function ConnectionError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const router = useRouter();
  const connection = useConnection();
  useEffect(
    () =>
      onConnectionChange((now, before) => {
        if (now === 'fine' && isAway(before)) void router.invalidate();
      }),
    [router],
  );
  const tryAgain = async () => {
    if ((await checkConnection()) === 'fine') await router.invalidate();
  };
  return (
    <Container size="sm" py={64} role="alert">
      <Stack align="flex-start">
        <Title order={1}>{t('error.title')}</Title>
        <Text>{t(connection === 'outdated' ? 'error.newVersion' : 'error.network')}</Text>
        <Group gap="xs">
          {connection !== 'outdated' && (
            <Button variant="filled" onClick={() => void tryAgain()}>
              {t('actions.retry')}
            </Button>
          )}
          {!isAway(connection) && (
            <Button
              variant={connection === 'outdated' ? 'filled' : 'default'}
              onClick={() => location.reload()}
            >
              {t('error.reload')}
            </Button>
          )}
        </Group>
        <CopyDetails error={error} />
      </Stack>
    </Container>
  );
}

/** Not found, with a link to what the user can access. */
export function RouteNotFound() {
  // Outside an organization there is no shell, so this renders the landmark.
  const organization = useContext(OrganizationContext)?.organization;
  const page = <NotFoundWithOwn organization={organization} />;
  return organization ? page : <main>{page}</main>;
}
