/** Reads a setting of the Directus that `run.ts` has started. */
export function readSetting(
  name: 'DIRECTUS_URL' | 'DIRECTUS_ADMIN_TOKEN' | 'PLATFORM_PORT' | 'PLATFORM_TOKEN',
): string {
  const value = process.env[name];
  if (value === undefined) throw new Error('Run it with: npm run test:directus');
  return value;
}
