import type { BrandChoices } from '@reachout/contract/consent.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  listChoicesOf,
  listTopicsOfBrands,
  listTrackingPolicies,
  type StoredChoice,
} from './contact-choices.queries.ts';

/** @returns what an address has chosen, by the brands */
export async function readChoices(
  trx: Transaction,
  of: { organizationId: string; addressKey: string; brandIds: readonly string[] },
): Promise<Map<string, BrandChoices>> {
  if (of.brandIds.length === 0) return new Map();
  const choices = Map.groupBy(await listChoicesOf(trx, of), ({ brand_id }) => brand_id);
  const topics = Map.groupBy(await listTopicsOfBrands(trx, of), ({ brand_id }) => brand_id);
  const policies = await listTrackingPolicies(trx, of);
  return new Map(
    of.brandIds.map((brandId) => {
      const chosen = choices.get(brandId) ?? [];
      const pause = chosen.find(({ until }) => until !== null);
      const tracking = chosen.find(({ topic_id, until }) => topic_id === null && until === null);
      return [
        brandId,
        {
          topics: (topics.get(brandId) ?? []).map(({ id, name, is_default }) => {
            const choice = chosen.find(({ topic_id }) => topic_id === id);
            return {
              id,
              name,
              is_default,
              is_subscribed: choice?.is_yes ?? is_default,
              choice: choice === undefined ? null : choiceOf(choice),
            };
          }),
          pause: pause === undefined ? null : { ...choiceOf(pause), until: pause.until! },
          tracking_policy: policies.get(brandId)!,
          tracking: tracking === undefined ? null : { ...choiceOf(tracking), is_allowed: tracking.is_yes! },
        },
      ];
    }),
  );
}

const choiceOf = ({ source, at, touchpoint, by, basis }: StoredChoice) => ({
  source,
  at,
  touchpoint,
  by,
  basis,
});
