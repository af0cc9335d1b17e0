import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import { figureColumns, isReaction, type FigureColumn } from '@reachout/contract/rules/figure-columns.ts';
import { liveSendKinds } from '@reachout/contract/states/send.ts';
import { onPage, splitOrder, type Paging } from '../../platform/database/list-page.ts';

/** The columns of `current_touchpoints` with the id of the record whose figures include the touchpoint. */
export const recordColumns = {
  touchpoint: 'id',
  campaign: 'campaign_id',
  brand: 'brand_id',
  client: 'client_id',
} as const;
export type FigureLevel = keyof typeof recordColumns;

/** Access scope of the touchpoints that the figures include. */
export type FigureScope = Exclude<AccessScope, 'nothing'>;

/** Matches the sends that are counted: all but tests. */
export const countedKinds = sql`kind <> 'test'`;

/** Matches the sends that send an email to its audience; follow-ups come after them. */
export const liveKinds = sql`kind in (${sql.join(liveSendKinds)})`;

/** When `touchpoint_sends s` is or was planned: in the time zones of contacts it starts before. */
export const plannedAt = sql`greatest(s.send_date, s.occurrence_at)`;

/**
 * Condition on `current_touchpoints t`. The permission to read touchpoints can be narrower than the one to read the
 * list.
 */
export const isInScope = (scope: FigureScope): RawBuilder<boolean> =>
  scope === 'all'
    ? sql`true`
    : sql`(t.client_id = any(${scope.client_ids}::uuid[]) or t.brand_id = any(${scope.brand_ids}::uuid[]))`;

/** Parent records to which all rows of a list belong. */
export interface FigureParents {
  level: FigureLevel;
  ids: readonly string[];
}

/**
 * One figure of each record that has it, for sorting a list. Uses the stored counters: results that workers still hold
 * are part of the displayed figures, but affect the sort order only once their chunk is done.
 */
function figureByRecord(
  level: FigureLevel,
  column: FigureColumn,
  scope: FigureScope,
  parents: FigureParents | undefined,
): RawBuilder<{ record_id: string; value: number }> {
  const isWanted =
    parents === undefined
      ? isInScope(scope)
      : sql`${isInScope(scope)} and ${sql.ref(`t.${recordColumns[parents.level]}`)} = any(${[...parents.ids]}::uuid[])`;
  const record = sql.ref(`t.${recordColumns[level]}`);
  if (isReaction(column)) {
    const sums =
      column === 'converted'
        ? sql`
      select count(*) as unique_count from converted_messages e
      where e.organization_id = t.organization_id and e.touchpoint_id = t.id`
        : sql`
      select e.running_counts[1] as unique_count from counts e
      where e.organization_id = t.organization_id and e.touchpoint_id = t.id and e.day = '-infinity'
        and e.dimension = ${column === 'opened' ? 'OPEN_EMAIL' : 'CLICK'} and e.value = 'unique'`;
    return sql`(
      select ${record} as record_id, sum(e.unique_count) as value
      from current_touchpoints t
      cross join lateral (${sums}) e
      where ${isWanted}
      group by 1)`;
  }
  return sql`(
    select ${record} as record_id, ${ofSends[column]} as value
    from current_touchpoints t
    join touchpoint_sends s on s.organization_id = t.organization_id and s.touchpoint_id = t.id and s.${countedKinds}
    where ${isWanted}
    group by 1)`;
}

/** Timestamps as numbers, so that every figure is numeric. */
const ofSends = {
  recipients: sql`sum(s.recipients_total_count)`,
  delivered: sql`sum(s.recipients_total_sent_count)`,
  sent_at: sql`extract(epoch from max(${plannedAt}) filter (where s.${liveKinds}))`,
} as const;

/**
 * Adds the figure of each row's record to a query, as `figure.value`.
 * @param id  the column with the record's id
 * @param parents  of all rows, if they are known: then only figures of their records are summed
 */
export const withFigure =
  (level: FigureLevel, column: FigureColumn, scope: FigureScope, id: string, parents?: FigureParents) =>
  <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>): SelectQueryBuilder<D, T, O> =>
    query.leftJoin(figureByRecord(level, column, scope, parents).as('figure') as never, (on) =>
      on.on(sql`figure.record_id`, '=', sql.ref(id)),
    );

/** Records without a figure sort like those with 0. */
export const figureValue = sql<number>`coalesce(figure.value, 0)`;

/** One page of a list of records that can also be sorted by their figures. */
export const onFigurePage =
  <C extends string>(level: FigureLevel, input: FigurePage<C>, scope: FigureScope) =>
  <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>): SelectQueryBuilder<D, T, O> => {
    const { column, direction } = splitOrder<string>(input.order);
    if (!isFigureColumn(column)) return query.$call(onPage<string>(input));
    return query
      .$call(withFigure(level, column, scope, 'id'))
      .orderBy(figureValue, direction)
      .orderBy(sql.ref('id'), direction)
      .limit(input.page_size)
      .offset(input.page * input.page_size);
  };

type FigurePage<C extends string> = Paging & { order: `${C | FigureColumn}.${'asc' | 'desc'}` };

export const isFigureColumn = (column: string): column is FigureColumn =>
  (figureColumns as readonly string[]).includes(column);
