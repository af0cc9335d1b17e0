import { createTransport } from 'nodemailer';
import { createTokenSigner } from '../apps/server/src/email/links/tokens.ts';
import { deriveKey } from '../apps/server/src/platform/secret-key.ts';
import { prepareEmail, sendAtOnce } from './api.ts';
import { expect, test } from './fixtures.ts';
import { bounceDomain } from './server.ts';
import { tile } from './steps.ts';

test('a bounce and a complaint come back, and are seen where they count', async ({
  page,
  api,
  organization,
  server,
}) => {
  const { touchpointId } = await prepareEmail(api, organization.id);
  const sendId = await sendAtOnce(api, touchpointId);
  const { items } = await api.get<{ items: { id: string }[] }>(
    `/mailbox?organization_id=${organization.id}&send_id=${sendId}`,
  );
  const { pixel_url } = await api.get<{ pixel_url: string }>(`/mailbox/${items[0]!.id}`);
  const sendNumber = Number.parseInt(/\/t\/o\/(\w+)-/.exec(pixel_url)![1]!, 36);
  const signer = createTokenSigner(deriveKey(server.secretKey, 'message tokens'));
  const returnPath = (seq: number) => `b.${signer.sign({ sendNumber, seq }).return_path}@${bounceDomain}`;
  const relay = createTransport({ host: '127.0.0.1', port: server.smtpInPort, ignoreTLS: true });
  const deliver = (to: string, type: string, fields: string) =>
    relay.sendMail({
      envelope: { from: '', to },
      raw: [
        'From: MAILER-DAEMON@mx.example',
        `Content-Type: multipart/report; report-type=${type}; boundary="b1"`,
        '',
        '--b1',
        'Content-Type: text/plain',
        '',
        'A report.',
        '--b1',
        `Content-Type: message/${type}`,
        '',
        ...fields.split('\n'),
        '--b1--',
        '',
      ].join('\r\n'),
    });
  await deliver(
    returnPath(1),
    'delivery-status',
    'Reporting-MTA: dns; mx.example\n\nFinal-Recipient: x-local; a\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 We know nobody of that name\n',
  );
  await deliver(
    `complaints@${bounceDomain}`,
    'feedback-report',
    `Feedback-Type: abuse\nUser-Agent: Provider/1.0\nVersion: 1\nOriginal-Mail-From: <${returnPath(2)}>\n`,
  );
  // Strangers are refused before they can send a body.
  await expect(deliver(`b.${'1'.repeat(30)}@${bounceDomain}`, 'delivery-status', '')).rejects.toThrow(/550/);

  const stats = `/content/${organization.id}/reachout/touchpoint_emails/stats?touchpoint=${touchpointId}`;
  await expect
    .poll(async () => {
      const { data } = await api.get<{ data: { bounced: number; complained: number } }>(stats);
      return [data.bounced, data.complained];
    })
    .toEqual([1, 1]);
  await page.goto(`/o/${organization.id}/touchpoints/${touchpointId}/statistics`);
  const numberOf = (name: string) => tile(page, name).locator('dd').first();
  await expect(numberOf('Bounced')).toHaveText('1');
  await expect(numberOf('Marked as spam')).toHaveText('1');
  await expect(numberOf('Delivered')).toHaveText('2');
  const reasons = page.getByRole('region', { name: 'Not delivered, by reason' });
  await expect(reasons).toContainText('Address does not exist');
  await expect(reasons).toContainText('550 5.1.1 We know nobody of that name');
  await expect(reasons).toContainText('1 (1 returned later)');

  const overTime = page.getByRole('region', { name: 'Not delivered, by time' });
  await expect(overTime.getByRole('img')).toBeVisible();
  await overTime.getByText('Table', { exact: true }).click();
  await expect(overTime.getByRole('columnheader')).toHaveText([/^(Minute|Hour)/, 'Bounced']);
  await expect(overTime.getByRole('cell', { name: '1', exact: true })).toBeVisible();

  await numberOf('Marked as spam').getByRole('link').click();
  await expect(page.getByRole('row')).toHaveCount(2);
  const complained = await page.getByRole('row').nth(1).getByRole('link').first().textContent();
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Marked as spam').first()).toBeVisible();
  expect(complained).not.toBe('');

  await page.goto(`/o/${organization.id}`);
  await expect(page.getByText('1 marked as spam')).toBeVisible();
});
