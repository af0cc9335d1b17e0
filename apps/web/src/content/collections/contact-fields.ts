/** The field in which imports and API clients report an unsubscribed contact; the screens show the state instead. */
export const consentField = 'unsubscribed';

/** Whether the items of a collection are contacts. */
export const hasSubscriptions = (fields: readonly { field: string }[]): boolean =>
  fields.some(({ field }) => field === 'email');
