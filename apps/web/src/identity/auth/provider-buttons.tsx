import { Button, Divider, Stack } from '@mantine/core';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ActionError } from '#web/ui/states.tsx';
import { signInWithProvider } from './auth-calls.ts';
import { authOptionsQuery } from './auth-options.ts';

/** One button per configured provider; renders nothing without providers. */
export function ProviderButtons({ next }: { next: string | undefined }) {
  const { t } = useTranslation('auth');
  const { data } = useQuery(authOptionsQuery);
  const action = useMutation({ mutationFn: (id: string) => signInWithProvider(id, next ?? '/') });
  if (!data || data.providers.length === 0) return null;
  return (
    <Stack gap="sm" mt="md">
      <Divider label={t('or')} labelPosition="center" />
      {data.providers.map(({ id, name }) => (
        <Button key={id} fullWidth disabled={action.isPending} onClick={() => action.mutate(id)}>
          {t('withProvider', { name })}
        </Button>
      ))}
      <ActionError error={action.error} />
    </Stack>
  );
}
