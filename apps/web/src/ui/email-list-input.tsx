import { Pill, TagsInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isEmail } from './checks.ts';
import classes from './email-list-input.module.css';

interface Props {
  label: string;
  description?: string;
  value: string[];
  onChange: (value: string[]) => void;
  error?: ReactNode;
}

/** E-mail addresses typed or pasted in any shape that lists have; those that are none are marked where they stand. */
export function EmailListInput({ value, onChange, error, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <TagsInput
      {...props}
      data-autofocus
      value={value}
      // "Ada <ada@example.org>" comes in two pieces, of which only the address counts.
      // What was typed in one go and never split is accepted as a whole when the field is left.
      onChange={(entries) =>
        onChange([
          ...new Set(
            entries
              .flatMap((entry) => entry.split(separators))
              .map(bare)
              .filter(Boolean),
          ),
        ])
      }
      classNames={{ input: classes.field ?? '' }}
      error={error}
      splitChars={[',', ';', ' ', '\n', '\r', '\t']}
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
              'aria-label': t('form.takeOut', { what: option.label }),
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

const separators = /[,;\s]+/;
const bare = (entry: string): string => entry.trim().replace(/^[<"']+|[>"']+$/g, '');
