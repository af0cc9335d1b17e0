import type { NewChoice, Origin } from './choices.queries.ts';

/** The address, brand and origin of a choice. */
type Of = Omit<NewChoice, 'kind' | 'value'>;

export const topicChoice = (of: Of, topicId: string, isSubscribed: boolean): NewChoice => ({
  ...of,
  kind: 'topic',
  topic_id: topicId,
  value: isSubscribed ? 'subscribed' : 'not_subscribed',
});

export const pauseUntil = (of: Of, until: Date): NewChoice => ({
  ...of,
  kind: 'pause',
  value: 'paused',
  until: until.toISOString(),
});

export const trackingChoice = (of: Of, isAllowed: boolean): NewChoice => ({
  ...of,
  kind: 'tracking',
  value: isAllowed ? 'allowed' : 'refused',
});

/** @param brandId  null for all brands */
export const optOut = (brandId: string | null, addressKey: string, origin: Origin = {}): NewChoice => ({
  ...origin,
  address_key: addressKey,
  brand_id: brandId,
  kind: 'suppression',
  value: 'unsubscribe',
});
