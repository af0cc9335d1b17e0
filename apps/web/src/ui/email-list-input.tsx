import { Pill, TagsInput } from '@mantine/core';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './email-list-input.module.css';

interface Props {
  label: string;
  description?: string;
  value: string[];
  onChange: (value: string[]) => void;
  error?: ReactNode;
}

/** Input for email addresses, typed or pasted in common list formats; invalid ones are marked in place. */
export function EmailListInput({ value, onChange, error, ...props }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const change = (addresses: string[]) => onChange([...new Set(addresses)]);
  const add = (addresses: string[]) => {
    setTyped('');
    change([...value, ...addresses]);
  };
  return (
    <TagsInput
      {...props}
      data-autofocus
      value={value}
      onChange={(entries) => change(entries.flatMap(readAddresses))}
      classNames={{ input: classes.field ?? '' }}
      error={error}
      // Splitting is custom because the names before addresses may contain any separator.
      splitChars={[]}
      searchValue={typed}
      onSearchChange={(text) => {
        const addresses = readTyped(text);
        if (addresses.length > 0) add(addresses);
        else setTyped(text);
      }}
      onPasteCapture={(event) => {
        event.preventDefault();
        event.stopPropagation();
        add(readAddresses(typed + event.clipboardData.getData('text/plain')));
      }}
      // There are no options, and an open dropdown would swallow Escape for the surrounding form.
      dropdownOpened={false}
      acceptValueOnBlur
      inputMode="email"
      autoComplete="off"
      renderPill={({ option, onRemove }) => {
        const good = isEmail(option.label);
        return (
          <Pill
            className={classes.pill ?? ''}
            data-bad={!good || undefined}
            withRemoveButton
            onRemove={onRemove ?? (() => undefined)}
            removeButtonProps={{
              'aria-label': t('form.remove', { name: option.label }),
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {!good && <IconAlertTriangle size={14} aria-label={t('form.notEmail')} />}
            {option.label}
          </Pill>
        );
      }}
    />
  );
}

/**
 * Extracts the addresses from text copied from lists and mail programs: `"Guest, Gina" <gina@client.example>; …`, one per
 * line, or separated by commas, semicolons or spaces. Invalid addresses are kept, so that they can be corrected.
 */
export function readAddresses(text: string): string[] {
  // Only the address in angle brackets counts; the name before it may contain separators.
  const withoutNames = text.replaceAll(/(?:"(?:[^"\\]|\\.)*"|[^<>,;"\n\r\t])*<([^<>]*)>/g, ' $1 ');
  return withoutNames
    .split(/[,;\s]+/)
    .map(bare)
    .filter(Boolean);
}

/**
 * `readAddresses` for text being typed: empty while the last entry may continue. A space ends an address, but not the name
 * before one.
 */
export function readTyped(text: string): string[] {
  const isClosed = (text.match(/"/g) ?? []).length % 2 === 0 && !/<[^>]*$/.test(text);
  if (!isClosed || !/[,;\s]$/.test(text)) return [];
  const addresses = readAddresses(text);
  return /[,;\n\r\t]$/.test(text) || addresses.every(isEmail) ? addresses : [];
}

const bare = (entry: string): string => entry.replaceAll(/^[<"']+|[>"']+$/g, '');
