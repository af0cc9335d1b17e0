import { useTranslation } from 'react-i18next';
import { common } from '#web/i18n/en/common.ts';
import { useFormat } from '#web/i18n/format.ts';
import { isRecord, Problem, retrySecondsOf } from '#web/platform/problem.ts';

type Code = keyof typeof common.code;
type Quota = keyof typeof common.quota;
const isQuota = (name: unknown): name is Quota =>
  typeof name === 'string' && Object.hasOwn(common.quota, name);
type Failure = keyof typeof common.backendFailure;
const isFailure = (name: unknown): name is Failure =>
  typeof name === 'string' && Object.hasOwn(common.backendFailure, name);
const isKnown = (code: string): code is Code => Object.hasOwn(common.code, code);

/** Seconds; a longer wait has an end that people are told. */
const longestMoment = 60;
const day = 86_400;

/** One sentence for people about what failed: ours where the code is known, else the server's. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (error) => {
    if (!(error instanceof Problem)) return t('error.server');
    if (error.status === 0) return t('error.network');
    const wait = retrySecondsOf(error) ?? 0;
    if (error.status === 429 && wait > longestMoment) {
      const until = new Date(error.at.getTime() + wait * 1_000);
      return t('error.tooManyUntil', { until: wait < day ? format.time(until) : format.dateTime(until) });
    }
    const code = error.code.toLowerCase();
    if (isKnown(code)) {
      // Some texts say numbers of the response.
      const values = valuesOf(error);
      const { quota, failure } = values;
      if (isFailure(failure)) return t(`backendFailure.${failure}`, values);
      return t(`code.${code}`, isQuota(quota) ? { ...values, what: t(`quota.${quota}`) } : values);
    }
    if (error.status === 401) return t('error.signedOut');
    if (error.status === 413) return error.detail ?? t('error.tooLarge');
    if (error.status === 429) return t('error.tooMany');
    if (error.status >= 500) return t('error.server');
    return error.detail ?? error.message;
  };
}

function valuesOf({ extra: { data } }: Problem): Record<string, unknown> {
  if (!isRecord(data)) return {};
  const { used_by: users } = data;
  if (!Array.isArray(users)) return data;
  const names = users.flatMap((user) => (isRecord(user) ? [`“${String(user['name'])}”`] : []));
  return { ...data, names: names.length === 0 ? '' : `: ${names.join(', ')}` };
}

/** What support needs to find the failure: no bodies, no tokens. */
export function problemDetails(error: unknown): string {
  const lines = [
    `time: ${(error instanceof Problem ? error.at : new Date()).toISOString()}`,
    `page: ${location.pathname}`,
  ];
  if (error instanceof Problem) {
    lines.push(`status: ${error.status}`, `code: ${error.code}`, `title: ${error.message}`);
    if (error.detail) lines.push(`detail: ${error.detail}`);
    const request = error.extra['request_id'] ?? error.extra['instance'];
    if (typeof request === 'string') lines.push(`request: ${request}`);
  } else if (error instanceof Error) {
    lines.push(`error: ${error.name}: ${error.message}`);
  }
  return lines.join('\n');
}
