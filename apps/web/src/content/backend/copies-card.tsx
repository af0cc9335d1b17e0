import { Box, Stack, Text } from '@mantine/core';
import type { ContentCopies } from '@reachout/contract/content-backend.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { Time } from '#web/ui/time.tsx';
import { useRetryCopies } from './use-retry-copies.ts';

/** Records whose copies in the content backend are outdated, with the reason and a retry button. */
export function CopiesCard({ copies }: { copies: ContentCopies }) {
  const { t } = useTranslation(['backend', 'clients']);
  const format = useFormat();
  const retry = useRetryCopies();
  const { waiting_count, failed_count, next_attempt_at, items } = copies;
  const isDone = waiting_count + failed_count === 0;
  return (
    <SectionCard title={t('copies.title')} hint={t('copies.explain')}>
      {isDone ? (
        <Text>{t('copies.none')}</Text>
      ) : (
        <Stack gap="md" align="flex-start">
          <Text>
            {t('copies.summary', {
              waiting: format.number(waiting_count),
              failed: format.number(failed_count),
            })}
            {next_attempt_at !== null && (
              <>
                {' · '}
                {t('copies.next')} <Time at={next_attempt_at} />
              </>
            )}
          </Text>
          {items.length > 0 && <Failures items={items} />}
          <PermittedButton
            variant="filled"
            permission={['update', 'Organization']}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t('clients:sync.now')}
          </PermittedButton>
          <ActionError error={retry.error} />
        </Stack>
      )}
    </SectionCard>
  );
}

type Item = ContentCopies['items'][number];
type KindOf<C> = C extends `reachout_${infer Kind}s` ? Kind : never;

/** What a record of a collection of the platform is: `client` in `reachout_clients`. */
const kindOf = (collection: Item['collection']) =>
  collection.replace(/^reachout_(.*)s$/, '$1') as KindOf<Item['collection']>;

function Failures({ items }: { items: readonly Item[] }) {
  const { t } = useTranslation('backend');
  return (
    <PlainTable
      label={t('copies.failures')}
      minWidth={320}
      maxHeight={400}
      rows={items}
      rowKey={({ collection, id }) => `${collection} ${id}`}
      columns={[
        {
          header: t('copies.record'),
          cell: ({ collection, name, state }) => (
            <Box miw={140}>
              {name ?? t('copies.deleted')}
              <FinePrint>
                {t(`words.${kindOf(collection)}`)} · {t(`copies.states.${state}`)}
              </FinePrint>
            </Box>
          ),
        },
        { header: t('words.reason'), cell: ({ error_content }) => error_content },
      ]}
    />
  );
}
