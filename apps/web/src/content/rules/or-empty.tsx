import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { emptyOperatorOf, type FieldKind, type RuleCondition } from './rule.ts';
import classes from './rule-builder.module.css';

interface Props {
  collection: string;
  /** A negative one. */
  condition: RuleCondition;
  kind: FieldKind;
  onChange: (condition: RuleCondition) => void;
}

/** Says how many items have no value in the field of a negative condition, and lets them match. */
export function OrEmpty({ collection, condition, kind, onChange }: Props) {
  const { t } = useTranslation('audiences');
  const { api, orgId } = useOrganization();
  const operator = condition.orEmpty ?? emptyOperatorOf(kind);
  const { data } = useQuery(
    api.content.items.queryOptions({
      input: {
        organization_id: orgId,
        collection,
        filter: JSON.stringify({ [condition.field]: { [operator]: true } }),
        fields: 'id',
        limit: 1,
      },
      staleTime: 60_000,
      meta: { quiet: true },
    }),
  );
  const count = data?.meta.filter_count;
  // Without such items there is nothing to decide, but what a stored rule says is always shown.
  if (count === 0 && condition.orEmpty === undefined) return null;
  const label =
    count === undefined ? t('orEmpty') : t(data?.meta.has_more ? 'orEmptyOfMore' : 'orEmptyOf', { count });
  return (
    <Checkbox
      className={classes.orEmpty}
      size="xs"
      label={label}
      checked={condition.orEmpty !== undefined}
      onChange={(event) =>
        onChange({ ...condition, orEmpty: event.currentTarget.checked ? operator : undefined })
      }
    />
  );
}
