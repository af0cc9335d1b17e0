import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Of the export below `/api/`. */
  path: string;
  /** The list's filters as the export's input. */
  filters: Record<string, unknown>;
  size?: 'xs';
}

/** Link to the records of a list, from all its pages, or to the rows of a table, as a file. */
export function ExportLink({ path, filters, size }: Props) {
  const { t } = useTranslation();
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return (
    <Button
      component="a"
      {...(size ? { size } : {})}
      href={`/api/${path}?${query.toString()}`}
      download
      leftSection={<IconDownload size={16} />}
    >
      {t('words.exportCsv')}
    </Button>
  );
}
