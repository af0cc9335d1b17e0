import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSendError, sendError, sendErrors, type SendErrorCode } from './send-errors.ts';

test('English texts include the values', () => {
  const error = sendError('daily_limit_exceeded', { used: 6, limit: 5 });
  assert.match(describeSendError(error), /would reach 6 recipients within 24 hours; its limit is 5\./);
});

test('values are cut and storable in PostgreSQL', () => {
  const { values } = sendError('template_failed', {
    detail: `nul \0 and half a pair \ud83d ${'x'.repeat(500)}`,
  });
  const detail = String(values['detail']);
  assert.ok(detail.isWellFormed() && !detail.includes('\0') && detail.length < 400);
});

test('errors that wait for users include instructions', () => {
  const codes = [
    'sender_rejected',
    'mostly_rejected',
    'often_unconfirmed',
    'often_not_built',
    'worker_ended',
    'overdue',
    'unexpected_paused',
    'unexpected_failed',
    'started_late',
    'nobody_left',
    'daily_limit_exceeded',
    'daily_limit_of_person_exceeded',
    'sender_domain_denied',
    'sender_domain_pending',
    'sender_domain_failing',
    'sender_domain_not_linked',
    'sender_domain_deleted',
    'dkim_key_unusable',
    'dkim_record_wrong',
    'dkim_unanswered',
    'dkim_signature_differs',
    'audience_unusable',
  ] as const satisfies readonly SendErrorCode[];
  for (const code of codes)
    assert.match(sendErrors[code], /\b(Ask|ask|Check|correct|[Rr]esume|Cancel|[Ss]end .* again|Use) /, code);
});
