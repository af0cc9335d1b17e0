/** For how many days a pause keeps all emails of a brand from an address. */
export const pauseDays = 30;

export const endOfPause = (now: Date): Date => new Date(now.getTime() + pauseDays * 86_400_000);
