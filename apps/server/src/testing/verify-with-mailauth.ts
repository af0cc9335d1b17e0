import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

/**
 * @param records  texts of DNS records by name
 * @param strict  reads signatures and records as the standards say, not as many servers do
 * @returns the result of each signature, such as `pass`; `none` without one
 */
export async function verifyWithMailauth(
  message: Buffer,
  records: Readonly<Record<string, string>>,
  strict = false,
): Promise<string[]> {
  const { results } = await dkimVerify(message, {
    strict,
    resolver: (name: string, type: string) => {
      const record = type === 'TXT' ? records[name] : undefined;
      if (record === undefined) return Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
      return Promise.resolve([[record]]);
    },
  });
  return results.map(({ status }) => status.result);
}
