import { Button, PinInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/problem.ts';
import { ActionError, Refusal } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { requestCode } from './auth-calls.ts';
import { useWait, WaitNotice } from './wait-notice.tsx';

interface Props {
  /** The address that the code was sent to. */
  email: string;
  /** Signs in with the six digits. */
  onCode: (code: string) => Promise<void>;
}

const length = 6;
const resendAfter = 60;

/** Six input boxes that accept a pasted code; a new code can be requested after a minute. */
export function CodeForm({ email, onCode }: Props) {
  const { t } = useTranslation(['auth', 'common']);
  const labelId = useId();
  const firstBox = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [rejection, setRejection] = useState<string>();
  const wait = useWait();
  const pause = useWait(resendAfter);
  const [sent, setSent] = useState(false);

  const verify = useMutation({
    mutationFn: async (digits: string) => {
      try {
        await wait.run(() => onCode(digits));
      } catch (error) {
        if (isProblem(error, 401)) setRejection(t('common:code.wrong_code'));
        else if (isProblem(error, 410)) setRejection(t('code.expired'));
        else throw error;
        setCode('');
        firstBox.current?.focus();
      }
    },
  });
  const resend = useMutation({
    mutationFn: async () => {
      if (!(await wait.run(() => requestCode(email)))) return;
      pause.start(resendAfter);
      setRejection(undefined);
      setCode('');
      setSent(true);
    },
  });
  const submit = (digits: string) => {
    setRejection(undefined);
    setSent(false);
    if (digits.length < length) {
      setRejection(t('code.incomplete'));
      return;
    }
    verify.mutate(digits);
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!verify.isPending) submit(code);
      }}
    >
      <Stack gap="md">
        <div>
          <Text id={labelId} fw={500} mb={4}>
            {t('code.label')}
          </Text>
          <PinInput
            length={length}
            type="number"
            oneTimeCode
            size="lg"
            gap="xs"
            placeholder=""
            value={code}
            error={rejection !== undefined}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there for this one thing
            autoFocus
            aria-labelledby={labelId}
            ariaLabel={t('code.box')}
            ref={firstBox}
            styles={{
              pinInput: { flex: '1 1 0', minWidth: 0, maxWidth: 56 },
              input: { width: '100%' },
            }}
            onChange={(digits) => {
              setCode(digits);
              if (digits.length === length && code.length < length) submit(digits);
            }}
          />
        </div>
        <Refusal>{rejection}</Refusal>
        <WaitNotice wait={wait} />
        <ActionError error={verify.error ?? resend.error} />
        <Button variant="filled" type="submit" loading={verify.isPending} fullWidth>
          {t('code.verify')}
        </Button>
        {pause.remaining > 0 ? (
          <QuietText ta="center">
            {sent && <span role="status">{t('code.sentAgain')} </span>}
            {t('code.againIn', { count: pause.remaining })}
          </QuietText>
        ) : (
          <Button loading={resend.isPending} onClick={() => resend.mutate()}>
            {t('code.sendAgain')}
          </Button>
        )}
      </Stack>
    </form>
  );
}
