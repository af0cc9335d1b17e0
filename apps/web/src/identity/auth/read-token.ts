/** For `validateSearch` of pages that links in mails lead to; a missing token is as good as an expired one. */
export const readToken = (raw: Record<string, unknown>): { token: string } => ({
  token: typeof raw['token'] === 'string' ? raw['token'].slice(0, 500) : '',
});
