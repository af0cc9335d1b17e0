import { Button, CopyButton } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './domains.module.css';

interface Props {
  label: string;
  /** Copied exactly. */
  value: string;
  hint?: string;
}

/** A value of a record, with a button that copies it. */
export function CopyValue({ label, value, hint }: Props) {
  const { t } = useTranslation('domains');
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span>
          <span className={classes.value}>{value}</span>
          {hint !== undefined && <span className={classes.hint}>{hint}</span>}
        </span>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconCopy size={14} stroke={1.75} />}
              aria-label={t(copied ? 'copied' : 'copyWhat', { what: `${label} ${value.slice(0, 60)}` })}
              onClick={copy}
            >
              {t(copied ? 'copiedShort' : 'copy')}
            </Button>
          )}
        </CopyButton>
      </dd>
    </div>
  );
}
