/** Names of the inputs of a sign-up form, on its page and on other websites. */
export const signUpInputs = {
  email: 'email',
  /** The version whose text the form shows; without it, the newest one counts. */
  version: 'version',
  /** Once for each chosen topic, with its id. */
  topic: 'topic',
  /** Any value says yes. */
  tracking: 'tracking',
  /** Hidden from people. A form in which it is filled is dropped, and answered like any other. */
  trap: 'homepage',
} as const;

/** The input of a field of the collection. */
export const signUpFieldInput = (field: string): string => `field_${field}`;

/** What a form can ask for: values that people write or choose. */
export const signUpFieldTypes = [
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'boolean',
  'date',
] as const;

/** Fields that a form cannot ask for: the address is always asked for, and the others are not for people to set. */
export const signUpReservedFields = ['id', 'email', 'unsubscribed'] as const;

/** Days after which a sign-up that is not confirmed is deleted. */
export const signUpPendingDays = 30;
