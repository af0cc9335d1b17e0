/** Names that the password of this person must not be. */
interface Owner {
  name: string;
  email: string;
}

/** 49,000 common passwords: read when the first one is set, not at every start. */
let common: Promise<ReadonlySet<string>> | undefined;
const readCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary.passwords);
};

/**
 * Why this cannot be the password of this person; undefined when it can. How long it may be is the contract's
 * (`newPassword`), and there are no rules of composition.
 */
export async function findPasswordProblem(password: string, owner: Owner): Promise<string | undefined> {
  const given = password.toLowerCase();
  const email = owner.email.toLowerCase();
  const own = [email, email.slice(0, email.lastIndexOf('@')), owner.name.toLowerCase()];
  if (own.includes(given)) return 'A password must not be your name or email address.';
  common ??= readCommon();
  return (await common).has(given) ? 'This password is one of the most common. Use another one.' : undefined;
}
