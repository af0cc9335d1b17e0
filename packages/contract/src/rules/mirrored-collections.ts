/** Collections that a content backend holds copies of. Referenced collections come first. */
export const mirroredCollections = [
  'reachout_clients',
  'reachout_brands',
  'reachout_campaigns',
  'reachout_touchpoints',
  'reachout_templates',
] as const;
export type MirroredCollection = (typeof mirroredCollections)[number];

/** `failed`: not retried until the record changes or a user requests it. */
export const copyStates = ['waiting', 'failed'] as const;
