import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/problem.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Form } from '#web/ui/form.tsx';
import { Refusal } from '#web/ui/states.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { enterSecondFactor, readOfferedFactors, type OfferedFactors } from './auth-calls.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { useWait, WaitNotice } from './wait-notice.tsx';

// The form is written by hand: a code is tried, and not stored.

/** Asks for one of the user's second factors and signs in. */
export function SecondFactorForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const query = useQuery({
    queryKey: ['auth', 'offered factors'],
    queryFn: readOfferedFactors,
    gcTime: 0,
    retry: false,
  });
  if (isProblem(query.error, 410)) return <Text role="alert">{t('secondFactor.expired')}</Text>;
  return (
    <AsyncRegion query={query} what={t('secondFactor.what')}>
      {(offered) => <CodeEntry offered={offered} onSignedIn={onSignedIn} />}
    </AsyncRegion>
  );
}

function CodeEntry({ offered, onSignedIn }: { offered: OfferedFactors; onSignedIn: () => void }) {
  const { t } = useTranslation(['auth', 'common']);
  const [kind, setKind] = useState<'totp' | 'recovery'>(offered.totp ? 'totp' : 'recovery');
  const [rejection, setRejection] = useState<string>();
  const wait = useWait();
  const form = useServerForm({
    initial: { code: '' },
    limits: { code: 40 },
    checks: { code: (value) => (value.trim().length < 6 ? t('secondFactor.incomplete') : null) },
    submit: async ({ code }) => {
      setRejection(undefined);
      try {
        if (await wait.run(() => enterSecondFactor(code.trim()))) onSignedIn();
      } catch (error) {
        if (isProblem(error, 401)) setRejection(t('secondFactor.wrong'));
        else if (isProblem(error, 410)) setRejection(t('secondFactor.expired'));
        else throw error;
        form.fields.setFieldValue('code', '');
        form.fields.getInputNode('code')?.focus();
      }
    },
  });
  const switchTo = (next: typeof kind) => {
    setKind(next);
    setRejection(undefined);
    form.fields.reset();
    form.fields.getInputNode('code')?.focus();
  };
  return (
    <Stack gap="md">
      <Form form={form} submitLabel={t('code.verify')} fullWidth>
        <Refusal>{rejection}</Refusal>
        <WaitNotice wait={wait} />
        <TextInput
          label={t(`secondFactor.${kind}`)}
          description={t(`secondFactor.${kind}Hint`)}
          autoComplete="one-time-code"
          inputMode={kind === 'totp' ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there for this one thing
          autoFocus
          {...form.fields.getInputProps('code')}
        />
      </Form>
      {offered.passkey && <PasskeyButton onSignedIn={onSignedIn} />}
      {offered.totp && offered.recovery_code && (
        <Button onClick={() => switchTo(kind === 'totp' ? 'recovery' : 'totp')}>
          {t(kind === 'totp' ? 'secondFactor.useRecovery' : 'secondFactor.useTotp')}
        </Button>
      )}
    </Stack>
  );
}
