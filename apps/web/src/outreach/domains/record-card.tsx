import { Box, Group, Paper, Stack, Text } from '@mantine/core';
import type { DomainCheck, DomainDetails } from '@reachout/contract/domains.ts';
import { describeDomainAdvice } from '@reachout/contract/rules/domain-advice-text.ts';
import type { DnsRecord } from '@reachout/contract/rules/domain-advice.ts';
import type { DomainCheckKind } from '@reachout/contract/states/domain.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { useProblemText } from '#web/ui/problem-text.ts';
import { Refusal } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { useNow } from '#web/ui/use-now.ts';
import {
  cardLooks,
  cardState,
  listDifferences,
  listReturnServers,
  recordsToShow,
  splitAtDifference,
} from './check-state.ts';
import { CopyValue } from './copy-value.tsx';
import type { CheckProgress } from './use-domain-checks.ts';
import classes from './domains.module.css';

interface Props {
  domain: DomainDetails;
  kind: DomainCheckKind;
  progress: CheckProgress;
}

/** The records for one purpose, what the latest check says of them, and what to do. */
export function RecordCard({ domain, kind, progress: { isPossible, isChecking, error } }: Props) {
  const { t, i18n } = useTranslation('domains');
  const say = useProblemText();
  const check = domain.checks[kind];
  const records = recordsToShow(domain, kind);
  const state = isPossible ? cardState(check) : 'blocked';
  const servers = kind === 'return_path' ? listReturnServers(check) : [];
  const name = t(`kinds.${kind}`);
  return (
    <Paper withBorder p="md" radius="md" component="section" aria-label={name}>
      <Stack gap="sm">
        <div>
          <Group gap="4px 12px">
            <SectionTitle>{name}</SectionTitle>
            <span role="status" aria-busy={isChecking}>
              <StatusBadge status={cardLooks[state]} label={t(`state.${state}`)} />
            </span>
            {isPossible && <CheckedAgo at={check.checked_at} />}
          </Group>
          <QuietText maw={640} mt={4}>
            {t(`why.${kind}`)}
          </QuietText>
        </div>
        {!isPossible && <Text size="sm">{t('settingsMissing.card')}</Text>}
        <Refusal>{error !== null && error !== undefined && say(error)}</Refusal>
        {isPossible && check.advice.length > 0 && (
          <Text component="ul" inherit className="break" m={0} ps={20}>
            {check.advice.map((advice) => {
              const text = describeDomainAdvice(advice, i18n.language as Language);
              return <li key={text}>{text}</li>;
            })}
          </Text>
        )}
        {servers.length > 0 && (
          <QuietText className="break">{t('returnServers', { servers: servers.join(', ') })}</QuietText>
        )}
        {state === 'different' && <Differences check={check} />}
        {records.length > 0 && (
          <details
            key={state === 'verified' ? 'verified' : 'open'}
            className={classes.details}
            open={state !== 'verified'}
          >
            <summary>{t('steps.records')}</summary>
            {records.map((record) => (
              <Record key={record.name + record.type} record={record} />
            ))}
          </details>
        )}
      </Stack>
    </Paper>
  );
}

function Record({ record }: { record: ReturnType<typeof recordsToShow>[number] }) {
  const { t } = useTranslation('domains');
  const { type, name, host, value } = record;
  const splitValue = 'splitValue' in record ? record.splitValue : undefined;
  const zone = host === '@' ? name : name.slice(host.length + 1);
  return (
    <dl className={classes.record}>
      <div>
        <dt>{t('words.type')}</dt>
        <dd>
          <span className={classes.value}>{type}</span>
        </dd>
      </div>
      <CopyValue label={t('form.name')} value={host} hint={t('hostHint', { zone })} />
      <CopyValue label={t('hostFull')} value={name} />
      <CopyValue
        label={t('words.value')}
        value={value}
        splitValue={splitValue}
        hint={splitValue === undefined ? undefined : t('splitHint')}
      />
    </dl>
  );
}

/** Expected and found records, with the parts marked that differ. */
function Differences({ check }: { check: DomainCheck }) {
  const { t } = useTranslation('domains');
  return listDifferences(check).map(({ expected, found }) => (
    <Stack component="dl" gap={8} key={expected.name + expected.value} className={classes.difference}>
      <div>
        <dt>{t('expected')}</dt>
        <Marked record={expected} other={found[0]!} />
      </div>
      <div>
        <dt>{t('found')}</dt>
        {found.map((record) => (
          <Marked key={record.name + record.value} record={record} other={expected} />
        ))}
      </div>
    </Stack>
  ));
}

function Marked({ record, other }: { record: DnsRecord; other: DnsRecord }) {
  return (
    <dd className={classes.value}>
      <Part text={record.name} other={other.name} /> <Part text={record.type} other={other.type} />{' '}
      <Part text={record.value} other={other.value} />
    </dd>
  );
}

function Part({ text, other }: { text: string; other: string }) {
  if (text === other) return text;
  const [before, differs, after] = splitAtDifference(text, other);
  return (
    <>
      {shorten(before, 'end')}
      {differs !== '' && <mark>{differs}</mark>}
      {shorten(after, 'start')}
    </>
  );
}

/** Characters beside a difference: keys have hundreds. */
const shownBeside = 48;

const shorten = (text: string, keep: 'start' | 'end'): string => {
  if (text.length <= shownBeside) return text;
  return keep === 'start' ? `${text.slice(0, shownBeside)}…` : `…${text.slice(-shownBeside)}`;
};

/** Counts on, so that it is seen how fresh a state is. */
function CheckedAgo({ at }: { at: string | null }) {
  const { t } = useTranslation('domains');
  const format = useFormat();
  const now = useNow(at !== null);
  if (at === null) return null;
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1_000));
  return (
    <Box component="span" fz="xs" c="dimmed" ms="auto" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {seconds < 60
        ? t('checkedSeconds', { count: seconds })
        : t('checkedAgo', { ago: format.relative(at, new Date(now)) })}
    </Box>
  );
}
