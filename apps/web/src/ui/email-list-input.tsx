import { Pill, TagsInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import classes from './email-list-input.module.css';
import { readAddresses, readTyped } from './read-addresses.ts';

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
            {!good && <IconAlertTriangle size={14} className="thick-icon" aria-label={t('form.notEmail')} />}
            {option.label}
          </Pill>
        );
      }}
    />
  );
}
