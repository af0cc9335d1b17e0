/**
 * Whether the content backend has the contact of a confirmed sign-up. It is written again for about a day while it waits; if it
 * failed, it is not written again.
 */
export const signUpContactStates = ['waiting', 'written', 'failed'] as const;
export type SignUpContactState = (typeof signUpContactStates)[number];
