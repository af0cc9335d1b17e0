/** Collections in which a content backend has copies of what the platform manages. What is referenced comes first. */
export const mirroredCollections = [
  'reachout_clients',
  'reachout_brands',
  'reachout_campaigns',
  'reachout_touchpoints',
  'reachout_templates',
] as const;
export type MirroredCollection = (typeof mirroredCollections)[number];

/** Failed: not tried again until the record changes, or a person asks for it. */
export const copyStates = ['waiting', 'failed'] as const;
