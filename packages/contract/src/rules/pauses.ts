/** For how many days a pause keeps all emails of a brand from an address. */
export const pauseDays = 30;
