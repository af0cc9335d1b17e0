import type { Review } from '@reachout/contract/touchpoints.ts';
import { useTranslation } from 'react-i18next';

/** @returns a function that names the topic of an email and says for how many it is not: "Offers; 120 people have not …" */
export function useTopicText(): (review: Pick<Review, 'topic' | 'audience_breakdown'>) => string {
  const { t } = useTranslation('touchpoints');
  return ({ topic, audience_breakdown: numbers }) => {
    const left = numbers?.excluded.not_subscribed ?? 0;
    const name = topic?.name ?? '';
    return left === 0 ? name : t('topic.left', { topic: name, count: left });
  };
}
