/** Values that must not be this user's password. */
interface Owner {
  name: string;
  email: string;
}

/** 49,000 common passwords, loaded when the first password is set, not at every start. */
let common: Promise<ReadonlySet<string>> | undefined;
const readCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary.passwords);
};

/**
 * @returns why the user cannot have this password; undefined if it is allowed. The contract limits the length
 *   (`newPassword`); there are no rules of composition.
 */
export async function findPasswordProblem(password: string, owner: Owner): Promise<string | undefined> {
  const given = password.toLowerCase();
  const email = owner.email.toLowerCase();
  const own = [email, email.slice(0, email.lastIndexOf('@')), owner.name.toLowerCase()];
  if (own.includes(given)) return 'A password must not be your name or email address.';
  common ??= readCommon();
  return (await common).has(given) ? 'This password is one of the most common. Use another one.' : undefined;
}
