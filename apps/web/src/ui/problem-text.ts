import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { isRecord, Problem, retrySecondsOf } from '#web/platform/problem.ts';

/** Maximum wait in seconds for which no end time is shown. */
const longestMoment = 60;
const day = 86_400;

/** @returns user-facing text about an error: our own for known codes, with values of the response; else the server's */
export function useProblemText(): (error: unknown) => string {
  const { t, i18n } = useTranslation(['common', 'problems']);
  const format = useFormat();
  // Looks up texts by keys from the response, if a translation exists: before sign-in few are loaded.
  const sayKey = (key: string, values: Record<string, unknown>): string | undefined =>
    i18n.exists(key) ? t(key as 'problems:code.quota_exceeded', values) : undefined;
  return (error) => {
    if (!(error instanceof Problem)) return t('error.server');
    if (error.status === 0) return t('error.network');
    const wait = retrySecondsOf(error) ?? 0;
    if (error.status === 429 && wait > longestMoment) {
      const until = new Date(error.at.getTime() + wait * 1_000);
      return t('error.tooManyUntil', { until: wait < day ? format.time(until) : format.dateTime(until) });
    }
    const code = error.code.toLowerCase();
    const values = valuesOf(error);
    const text =
      sayKey(`problems:backendFailure.${String(values['failure'])}`, values) ??
      sayKey(`common:code.${code}`, {}) ??
      sayKey(`problems:code.${code}`, {});
    if (text !== undefined) {
      const what = sayKey(`problems:quota.${String(values['quota'])}`, {});
      const added =
        error.extra['data'] === undefined
          ? undefined
          : sayKey(`problems:values.${code}`, { ...values, what });
      const advice = sayKey(`problems:quotaAdvice.${String(values['quota'])}`, {});
      return [text, added, advice].filter((part) => part !== undefined).join(' ');
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
  const names = namesOf(data['used_by']).map((name) => `“${name}”`);
  return {
    ...data,
    names: names.length === 0 ? '' : `: ${names.join(', ')}`,
    path: namesOf(data['loop']).join(' → '),
  };
}

const namesOf = (records: unknown): string[] =>
  Array.isArray(records) ? records.filter(isRecord).map(({ name }) => String(name)) : [];

/** Details that support needs to find the failure, without bodies and tokens. */
export function problemDetails(error: unknown): string {
  const lines = [
    `time: ${(error instanceof Problem ? error.at : new Date()).toISOString()}`,
    `page: ${location.pathname}`,
  ];
  if (error instanceof Problem) {
    lines.push(`status: ${error.status}`, `code: ${error.code}`, `title: ${error.message}`);
    if (error.detail) lines.push(`detail: ${error.detail}`);
    if (error.requestId) lines.push(`request: ${error.requestId}`);
  } else if (error instanceof Error) {
    lines.push(`error: ${error.name}: ${error.message}`);
  }
  return lines.join('\n');
}
