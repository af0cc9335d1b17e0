import { Text } from '@mantine/core';
import type { SharedItem } from '@reachout/contract/content-shares.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFieldLabel } from '#web/content/collections/field-label.ts';
import { byPlace } from '#web/content/collections/field-order.ts';
import { useFieldText } from '#web/content/collections/field-text.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { api, client } from '#web/platform/api.ts';
import { isProblem } from '#web/platform/problem.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Form } from '#web/ui/form.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ValueList } from '#web/ui/value-list.tsx';

// The form is written by hand: it opens an item, and stores nothing.

interface Props {
  organizationId: string;
  id: string;
}

/** The page behind the link of a share, for people without an account. */
export function SharedItemPage(share: Props) {
  const { t } = useTranslation('shares');
  const [opened, setOpened] = useState<SharedItem>();
  const [isGone, setGone] = useState(false);
  const query = useQuery(
    api.content.describeShare.queryOptions({
      input: { organization_id: share.organizationId, id: share.id },
      // Opening it changes what the server says about it.
      enabled: opened === undefined,
      meta: { quiet: true },
    }),
  );
  // Also for what is no id: all links that show nothing look the same.
  const isClosed = isGone || isProblem(query.error, 404) || isProblem(query.error, 422);
  return (
    <AuthFrame title={opened?.name ?? t(isClosed ? 'page.closedTitle' : 'page.title')}>
      {/* React moves it to the head of the document. */}
      <meta name="robots" content="noindex, nofollow" />
      {opened ? (
        <Values shared={opened} />
      ) : isClosed ? (
        <Text>{t('page.closed')}</Text>
      ) : (
        <AsyncRegion query={query} what={t('page.what')}>
          {(needs) => <Opening share={share} {...needs} onOpened={setOpened} onGone={() => setGone(true)} />}
        </AsyncRegion>
      )}
    </AuthFrame>
  );
}

interface OpeningProps {
  share: Props;
  needs_password: boolean;
  is_limited: boolean;
  onOpened: (item: SharedItem) => void;
  /** It shows nothing any more. */
  onGone: () => void;
}

/** Asks for the password, and before an opening is counted; otherwise opens at once. */
function Opening({ share, needs_password, is_limited, onOpened, onGone }: OpeningProps) {
  const { t } = useTranslation('shares');
  const form = useServerForm({
    initial: { password: '' },
    submit: async ({ password }) => {
      const input = { organization_id: share.organizationId, id: share.id };
      try {
        onOpened(await client.content.openShare(password === '' ? input : { ...input, password }));
      } catch (error) {
        if (!isProblem(error, 404)) throw error;
        if (needs_password) form.fields.setFieldError('password', t('page.refused'));
        else onGone();
      }
    },
  });
  const opensAtOnce = !needs_password && !is_limited;
  const open = useEffectEvent(() => void form.save());
  useEffect(() => {
    if (opensAtOnce) open();
  }, [opensAtOnce]);
  return (
    <Form form={form} submitLabel={t('page.open')} fullWidth>
      {needs_password && <Text>{t('page.enterPassword')}</Text>}
      {is_limited && <Text>{t('page.isLimited')}</Text>}
      {needs_password && (
        <PasswordInput
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page
          autoFocus
          label={t('password')}
          autoComplete="off"
          {...form.fields.getInputProps('password')}
        />
      )}
    </Form>
  );
}

function Values({ shared: { fields, item } }: { shared: SharedItem }) {
  const { t } = useTranslation('shares');
  const labelOf = useFieldLabel();
  const textOf = useFieldText();
  const filled = fields.filter(({ field }) => field !== 'id' && !isEmpty(item[field])).toSorted(byPlace);
  if (filled.length === 0) return <Text c="dimmed">{t('page.noValues')}</Text>;
  return (
    <ValueList
      values={filled.map((field) => ({
        name: labelOf(field),
        value: (
          <Text component="span" inherit className="break" style={{ whiteSpace: 'pre-line' }}>
            {textOf(field, item[field.field])}
          </Text>
        ),
      }))}
    />
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
