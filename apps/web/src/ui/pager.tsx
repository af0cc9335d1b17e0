import { Group, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { paginationRange } from './pagination-range.ts';
import classes from './pager.module.css';
import { QuietText } from './text.ts';

interface Props {
  /** 1-based */
  page: number;
  pageSize: number;
  /** Number of rows on this page. */
  shown: number;
  /** Number of all rows, not pages. */
  total: number;
  /** There are more rows than `total`: further pages follow the last numbered one. */
  hasMore: boolean;
  /** What is counted, if rows are not: "campaigns". */
  counted?: string | undefined;
  onPage: (page: number) => void;
}

export function Pager({ page, pageSize, shown, total, hasMore, counted, onPage }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  if (total === 0) return null;
  const from = (page - 1) * pageSize + 1;
  const to = hasMore ? from + shown - 1 : Math.min(page * pageSize, total);
  // A page that is not full is the last one and reveals the total.
  const isOpen = hasMore && shown === pageSize;
  const known = Math.max(total, to);
  const pages = Math.ceil(known / pageSize);
  const isLast = page >= pages && !isOpen;

  return (
    <Group justify="space-between" mt="md" gap="sm">
      <QuietText>
        {t(isOpen ? 'table.rangeOver' : 'table.range', {
          from: format.number(from),
          to: format.number(to),
          total: format.number(known),
        })}
        {counted !== undefined && ` ${counted}`}
      </QuietText>
      {pages > 1 && (
        <Group component="nav" aria-label={t('words.pages')} gap={4} wrap="nowrap">
          <UnstyledButton className={classes.step} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} aria-hidden />
            {t('pagination.previous')}
          </UnstyledButton>
          <span className={classes.short}>
            {isOpen ? t('pagination.page', { page }) : t('pagination.of', { page, total: pages })}
          </span>
          {paginationRange(page, pages).map((mark) =>
            typeof mark === 'number' ? (
              <UnstyledButton
                key={mark}
                className={classes.number}
                aria-label={t('pagination.page', { page: mark })}
                aria-current={mark === page ? 'page' : undefined}
                onClick={() => onPage(mark)}
              >
                {format.number(mark)}
              </UnstyledButton>
            ) : (
              <span key={mark} className={classes.dots} aria-hidden>
                …
              </span>
            ),
          )}
          <UnstyledButton className={classes.step} disabled={isLast} onClick={() => onPage(page + 1)}>
            {t('pagination.next')}
            <IconChevronRight size={16} aria-hidden />
          </UnstyledButton>
        </Group>
      )}
    </Group>
  );
}
