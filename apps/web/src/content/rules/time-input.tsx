import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { FieldType } from '@reachout/contract/content-fields.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '#web/i18n/format.ts';
import { readZonedText, zonedTextOf } from '#web/i18n/zoned-time.ts';
import { FinePrint } from '#web/ui/text.ts';

interface Props {
  /** Undefined for a field that is not known. */
  type: FieldType | undefined;
  /** As in the rule: with a zone, in UTC, or relative to now. */
  value: string;
  onChange: (value: string) => void;
  'aria-label': string;
  error?: string;
}

/**
 * A day or time of a rule. A point in time is shown in the zone of the rule, with its name, and a new one is in that of the
 * user, so that the rule means what is shown here whoever reads it, and wherever.
 */
export function TimeInput({ type, value, onChange, ...props }: Props) {
  // `dateTime` has no zone: it is compared as it is written.
  const isInstant = type !== 'date' && type !== 'dateTime';
  const read = readZonedText(isInstant ? value : value.replace(/\[.*\]$/, ''));
  // Relative times, such as $NOW(-7 days), are written by programs.
  if (value !== '' && read === undefined)
    return <TextInput {...props} value={value} onChange={(event) => onChange(event.currentTarget.value)} />;
  if (isInstant) return <InstantInput {...props} read={read} onChange={onChange} />;
  const wallTime = read?.wallTime ?? '';
  return (
    <TextInput
      {...props}
      type={type === 'date' ? 'date' : 'datetime-local'}
      value={type === 'date' ? wallTime.slice(0, 10) : wallTime}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface InstantProps extends Omit<Props, 'type' | 'value'> {
  read: { wallTime: string; timeZone: string } | undefined;
}

function InstantInput({ read, onChange, ...props }: InstantProps) {
  const { t } = useTranslation('audiences');
  const own = useTimeZone();
  // A time that does not exist, because clocks are put forward, is corrected when the input is left, not while it is typed.
  const [typed, setTyped] = useState<string>();
  const timeZone = read?.timeZone ?? own;
  const wallTime = typed ?? read?.wallTime ?? '';
  const change = (next: string, zone: string) => onChange(next === '' ? '' : (zonedTextOf(next, zone) ?? ''));
  return (
    <Stack gap={4} miw={0}>
      <TextInput
        {...props}
        type="datetime-local"
        value={wallTime}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          change(event.currentTarget.value, timeZone);
        }}
        onBlur={() => setTyped(undefined)}
      />
      <Group gap="xs">
        <FinePrint>{t('timeZone', { zone: timeZone })}</FinePrint>
        {timeZone !== own && (
          <Button size="compact-xs" variant="subtle" onClick={() => change(wallTime, own)}>
            {t('useTimeZone', { zone: own })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
