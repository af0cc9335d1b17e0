import type { Page } from '@playwright/test';
import { apiOf, mjmlWithLink, prepareEmail, readMail, sendAtOnce } from './api.ts';
import { runSql } from './database.ts';
import { expect, test } from './fixtures.ts';
import { seedData } from './seed-data.ts';
import { choose, readDownload, typeIntoCodeEditor, visit } from './steps.ts';

/** Short enough for names, each with a different attack vector. */
const attacks = [
  `<script>window.__pwned=1</script>`,
  `<img src=x onerror="window.__pwned=2">`,
  `"><svg onload=window.__pwned=3>`,
  `{{constructor.constructor('window.__pwned=4')()}}`,
  `javascript:window.__pwned=5`,
] as const;
const all = attacks.join(' ').slice(0, 250);
const [script, image, svg, template] = attacks;

/** Expects that no script has run in any frame of the page, at any depth. */
async function expectUnharmed(page: Page): Promise<void> {
  // A frame that is being reloaded cannot be evaluated yet.
  await expect(async () => {
    for (const frame of page.frames()) {
      expect(await frame.evaluate('window.__pwned'), frame.url()).toBeUndefined();
    }
  }).toPass({ timeout: 20_000 });
  await expect(page.locator('script:not([src])').filter({ hasText: '__pwned' })).toHaveCount(0);
  await expect(page.locator('img[onerror], svg[onload], [href^="javascript:"]')).toHaveCount(0);
}

/** Dialogs count as executed scripts, too. */
test.beforeEach(async ({ page }) => {
  page.on('dialog', (dialog) => {
    void dialog.dismiss();
    throw new Error(`A dialog opened: ${dialog.message()}`);
  });
});

const maliciousMjml = `<mjml>
  <mj-body>
    <mj-raw><script>window.__pwned=6; parent.__pwned=6; top.location='https://evil.example/'</script></mj-raw>
    <mj-section>
      <mj-column>
        <mj-text>
          Hello {{ contact.first_name }} {{ contact.first_name | raw }}
          <img src="x" onerror="window.__pwned=7; parent.__pwned=7" />
          <iframe srcdoc="<script>parent.parent.__pwned=8</script>"></iframe>
          <form action="https://evil.example/"><input name="a" /><button>Win</button></form>
        </mj-text>
        <mj-button href="javascript:window.__pwned=9">Click</mj-button>
        <mj-text><a href="{{ links.unsubscribe }}">Unsubscribe</a></mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

test('malicious names, subjects, mail server replies and injected texts stay text', async ({
  page,
  api,
  server,
}) => {
  const { id } = await api.post<{ id: string }>('/organizations', { name: `Agency ${script}` });
  const email = await prepareEmail(api, id, {
    brand: image,
    subject: `${svg} {{ contact.first_name }}`,
    fromName: `News ${script}`,
    contacts: [
      { email: 'ada@contacts.example', first_name: all, last_name: image, company: template, city: svg },
    ],
  });
  const sendId = await sendAtOnce(api, email.touchpointId);
  // Untrusted texts: the reply of a mail server, and the error of a content backend for a newer version of each record, so
  // that a copy that is being written does not clear it.
  await runSql(
    server.databaseUrl,
    `insert into delivery_results (organization_id, send_id, seq, state, attempts, reply, at)
      values ($1, $2, 1, 'sent', 1, $3, now())
      on conflict (organization_id, send_id, seq) do update set reply = excluded.reply`,
    [id, sendId, `550 ${all}`],
  );
  await runSql(
    server.databaseUrl,
    `update touchpoint_sends set error = jsonb_build_object('code', 'sender_rejected', 'values', jsonb_build_object('reply', $2::text))
      where organization_id = $1`,
    [id, all],
  );
  for (const table of ['campaigns', 'brands', 'touchpoints']) {
    await runSql(
      server.databaseUrl,
      `insert into content_outbox (organization_id, collection, id, state, error_content)
        select organization_id, 'reachout_${table}', id, 'failed', $2 from ${table} where organization_id = $1
        on conflict (organization_id, collection, id) do update
        set version = content_outbox.version + 1, state = 'failed', error_content = excluded.error_content`,
      [id, all],
    );
  }
  const { items } = await api.get<{ items: { id: string }[] }>(`/mailbox?organization_id=${id}`);
  const at = `/o/${id}`;
  const touchpoint = `${at}/touchpoints/${email.touchpointId}`;
  const paths = [
    '/organizations',
    at,
    `${at}/clients`,
    `${at}/clients/${email.clientId}`,
    `${at}/brands/${email.brandId}`,
    `${at}/campaigns`,
    `${at}/campaigns/${email.campaignId}`,
    `${at}/touchpoints`,
    `${at}/templates`,
    `${at}/templates/${email.templateId}`,
    `${at}/audiences`,
    `${at}/audiences/${email.filterId}`,
    `${at}/contacts`,
    ...['receipt', 'settings', 'sends', 'statistics'].map((tab) => `${touchpoint}/${tab}`),
    `${touchpoint}/sends/${sendId}`,
    `${at}/mailbox`,
    `${at}/mailbox/${items[0]!.id}`,
  ];
  await page.goto(at);
  for (const path of paths) {
    await test.step(path, async () => {
      await visit(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(
        page
          .getByRole('main')
          .getByText(/__pwned|ada@|Agency|3|1/)
          .first(),
      ).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectUnharmed(page);
    });
  }
  await visit(page, `${touchpoint}/sends/${sendId}`);
  await expect(page.getByRole('table', { name: 'Recipients' })).toContainText('550 <script>');
  await visit(page, `${at}/campaigns/${email.campaignId}`);
  await expect(page.getByRole('main')).toContainText('<script>window.__pwned=1</script>');

  await test.step('injected text does not become markup or script', async () => {
    const attempts = [
      `document.createElement('div').innerHTML = '<img src="x" onerror="window.__pwned=7">'`,
      `document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.__pwned=7">')`,
      `document.createElement('iframe').srcdoc = '<script>window.__pwned=7</script>'`,
      `document.createElement('script').src = '/api/storage/x.js'`,
    ];
    for (const attempt of attempts)
      expect(await page.evaluate(`(() => { try { ${attempt} } catch ({ name }) { return name } })()`)).toBe(
        'TypeError',
      );
  });
});

test('malicious names of organization records and imported files stay text', async ({
  page,
  person,
  api,
  server,
  browser,
}) => {
  const { id } = await api.post<{ id: string }>('/organizations', { name: `Agency ${script}` });
  const { id: clientId } = await api.post<{ id: string }>('/clients', { organization_id: id, name: svg });
  await api.patch('/me', { full_name: `Robin ${image}`, company: all.slice(0, 120) });
  const seeded = await seedData(api, id, clientId, `${script} ${template}`);
  // The user agent of a browser.
  const elsewhere = await browser.newContext({ baseURL: server.url, userAgent: `Mozilla/5.0 ${script}` });
  const { email, password } = person;
  await apiOf(elsewhere.request, server.url).post('/auth/sign-in/email', { email, password });
  await apiOf(elsewhere.request, server.url).post('/clients', { organization_id: id, name: image });
  await elsewhere.close();
  const mail = await readMail(page.request, server, seeded.invitedEmail, /Agency/);

  const settings = `/o/${id}/settings`;
  const shows: Record<string, string> = {
    '/organizations': script,
    '/me/profile': `Robin ${image}`,
    '/me/addresses': script,
    '/me/socials': 'nordwind.example',
    '/me/sessions': '127.0.0.1',
    [`/welcome/team?organization=${id}`]: '2',
    [`${settings}/general`]: script,
    [`${settings}/address`]: script,
    [`${settings}/contacts`]: script,
    [`${settings}/members`]: `Robin ${image}`,
    [`${settings}/invitations`]: script,
    [`${settings}/roles`]: script,
    [`${settings}/roles/${seeded.role}`]: script,
    [`${settings}/api-keys`]: script,
    [`${settings}/trash`]: script,
    [`${settings}/audit-log`]: `Robin ${image}`,
    [`/o/${id}/clients/${clientId}/contacts`]: script,
    [`/o/${id}/clients/${clientId}/addresses`]: script,
    [`/o/${id}/clients/${clientId}/settings`]: svg,
    [`/invitation/${seeded.pendingToken}`]: `Robin ${image} invites you to Agency ${script}`,
    [`/invitation/${seeded.declinedToken}`]: 'Reachout',
    [`/join/${seeded.linkToken}`]: script,
    [`/mailbox?search=${seeded.invitedEmail}`]: seeded.invitedEmail,
    [`/mailbox/${mail.id}`]: 'Agency',
  };
  await page.goto(settings);
  for (const [path, text] of Object.entries(shows)) {
    await test.step(path, async () => {
      await visit(page, path);
      await expect
        .poll(async () => await page.evaluate(readMain), { message: `${path} shows ${text}` })
        .toContain(text);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectUnharmed(page);
    });
  }

  await visit(page, `${settings}/audit-log`);
  const entry = page
    .getByRole('row')
    .filter({ hasText: 'Created a client' })
    .filter({ has: page.getByRole('cell', { name: image, exact: true }) });
  await entry.locator('summary').click();
  await expect(entry).toContainText('DeviceMozilla');
  await expectUnharmed(page);

  await test.step('names and cells of a file', async () => {
    await visit(page, `/o/${id}/collections/contacts/import`);
    const main = page.getByRole('main');
    const name = `${image.replaceAll('/', '')}.csv`;
    await page.getByLabel('Drop a CSV or JSON file here, or click to choose one').setInputFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `email,"${script}",first_name\r\nada@contacts.example,x,"${script}"\r\nnobody,"x","=cmd|' /C calc'!A0"\r\n`,
      ),
    });
    await expect(main.getByText(script).first()).toBeVisible();
    await expectUnharmed(page);
    await choose(page, 'Whose contacts are these?', svg);
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible();
    await expectUnharmed(page);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download rejected rows' }).click();
    const rows = await readDownload(await download);
    // Spreadsheets interpret cells that begin with = as formulas.
    expect(rows).not.toMatch(/(^|,|")=cmd/m);
    await page.getByRole('link', { name: `View ${svg}` }).click();
    await expect(main.getByText(script)).toBeVisible();
    await page.getByRole('link', { name: 'ada@contacts.example' }).click();
    await expect(main.getByRole('heading', { name: script })).toBeVisible();
    await expectUnharmed(page);
  });
});

/** Runs in the page. @returns its visible text, including the values of fields */
const readMain = `(document.querySelector('main')?.innerText ?? '')
  + [...document.querySelectorAll('main input')].map((input) => ' ' + input.value).join('')`;

test.describe('malicious email content', () => {
  test.use({ isMalicious: true });

  /** Content that templates must not have, as if all checks had been bypassed. */
  const payload = [
    '<base href="https://evil.example/" target="_top">',
    '<script>window.__pwned=6;parent.__pwned=6;top.location=`https://evil.example/`</script>',
    '<img src=x onerror=window.__pwned=7>',
    '<iframe srcdoc="<script>top.__pwned=8</script>"></iframe>',
    '<form action=https://evil.example/><button>Win</button></form>',
    '<a href="javascript:window.__pwned=9" target="_top">A script</a>',
    '<a href="/organizations" target="_parent">A path</a>',
    '<a href="https://web.example/" target="_top" rel="opener">An address</a>',
  ].join('');

  test('malicious content runs nothing in templates and the editor, and cannot be sent', async ({
    page,
    api,
    organization,
  }) => {
    const email = await prepareEmail(api, organization.id, {
      contacts: [{ email: 'ada@contacts.example', first_name: all }],
    });
    await page.goto(`/o/${organization.id}/templates/${email.templateId}`);
    await typeIntoCodeEditor(page, maliciousMjml);
    await expect(page.getByRole('alert').first()).toBeVisible();
    await choose(page, 'Preview as', 'ada@contacts.example');
    const preview = page.locator('iframe[title="Template preview"]');
    await expect(preview).toHaveAttribute('sandbox', '');
    await expectUnharmed(page);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText(/^Saved \d/)).toBeVisible();

    await api.patch(`/touchpoints/${email.touchpointId}/email`, { template_id: email.templateId });
    await page.goto(`/o/${organization.id}/touchpoints/${email.touchpointId}/email`);
    await expect(page.getByText('Nothing is written yet, or it has errors.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send now' })).toBeDisabled();
    await expectUnharmed(page);

    await test.step('in the editor', async () => {
      const covering = 'position:fixed;inset:0;color:#123456;background:url(https://evil.example/look)';
      await api.patch(`/touchpoints/${email.touchpointId}/email`, {
        mjml: `<mjml><mj-head><mj-style>a { background: url(https://evil.example/style) }</mj-style></mj-head>
        <mj-body><mj-section><mj-column><mj-text>The first ${payload}</mj-text><mj-raw>${payload}</mj-raw>
        <mj-text css-class='x"><script>window.__pwned=10</script>'>{{ contact.first_name | default: '<script>window.__pwned=11</script>' }}</mj-text>
        <mj-text><p style="${covering}">Covering</p></mj-text></mj-column></mj-section></mj-body></mjml>`,
      });
      await page.goto(`/o/${organization.id}/touchpoints/${email.touchpointId}/email`);
      const canvas = page.locator('iframe[title="Email"]');
      await expect(canvas).toHaveAttribute('sandbox', 'allow-same-origin');
      const shown = page.frameLocator('iframe[title="Email"]');
      await expect(shown.getByText('Covering')).toBeVisible();
      await expect(shown.locator('script, iframe, base, [onerror], [href], [target], link')).toHaveCount(0);
      await expectUnharmed(page);
      // Edited, this text stands in the page of the app.
      await page.getByRole('treeitem', { name: 'Text: Covering' }).click();
      await expect(page.getByRole('textbox', { name: 'Text', exact: true }).locator('p')).toHaveAttribute(
        'style',
        'color: rgb(18, 52, 86);',
      );
      await page.keyboard.type('!');
      await page.getByRole('treeitem', { name: /^Text: The first/ }).click();
      await expect(page.getByLabel('Content', { exact: true })).toHaveValue(/^The first/);
      await expectUnharmed(page);
    });
  });

  test('a malicious message runs nothing in the browser and in the mailbox', async ({
    page,
    api,
    organization,
    server,
  }) => {
    const view = '{{ links.view_in_browser }}';
    const email = await prepareEmail(api, organization.id, { mjml: mjmlWithLink(view) });
    const sendId = await sendAtOnce(api, email.touchpointId);
    await runSql(
      server.databaseUrl,
      `update touchpoint_send_contents
      set content = replace(content::text, 'Hello ', $2)::jsonb where send_id = $1`,
      [sendId, `${JSON.stringify(payload).slice(1, -1)}Hello `],
    );
    const { items } = await api.get<{ items: { id: string }[] }>(
      `/mailbox?organization_id=${organization.id}`,
    );
    const { links } = await api.get<{ links: { url: string }[] }>(`/mailbox/${items[0]!.id}`);
    const response = await page.goto(links.find(({ url }) => url.includes('/v/'))!.url);
    const policy = response!.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(/\bsandbox\b/);
    expect(policy).not.toMatch(/allow-(scripts|same-origin|forms|top-navigation)/);
    expect(await page.content()).toContain('window.__pwned=6');
    await expect(page.getByText('Unsubscribe')).toBeVisible();
    expect(new URL(page.url()).pathname).toMatch(/^\/v\//);
    expect(await page.evaluate('window.__pwned')).toBeUndefined();

    await test.step('in the mailbox', async () => {
      const lines = [
        'From: x@evil.example',
        `Subject: ${script}`,
        'Content-Type: text/html; charset=utf-8',
        '',
        payload,
      ];
      await runSql(
        server.databaseUrl,
        `update mailbox_messages set raw = convert_to($2, 'UTF8'), subject = $3, sender = $3 where organization_id = $1`,
        [organization.id, `${lines.join('\r\n')}<p>The end</p>`, script],
      );
      await page.goto(`/o/${organization.id}/mailbox?send=${sendId}`);
      await expectUnharmed(page);
      await page.getByRole('link', { name: script }).first().click();
      const message = page.locator('iframe[title="Message"]');
      await expect(message).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
      const shown = message.contentFrame();
      await expect(shown.getByText('The end')).toBeVisible();
      await shown.getByRole('button', { name: 'Win' }).click();
      for (const name of ['A script', 'A path']) {
        await expect(shown.getByText(name)).not.toHaveAttribute('href');
        await shown.getByText(name).click();
      }
      await expectUnharmed(page);
      expect(page.context().pages()).toHaveLength(1);

      // A link opens in a tab without access to its opener.
      await page
        .context()
        .route('https://web.example/', (route) =>
          route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }),
        );
      const opened = page.context().waitForEvent('page');
      await shown.getByRole('link', { name: 'An address' }).click();
      const elsewhere = await opened;
      await expect(elsewhere.getByRole('heading', { name: 'Elsewhere' })).toBeVisible();
      expect(await elsewhere.evaluate('[window.opener, document.referrer, window.origin]')).toEqual([
        null,
        '',
        'https://web.example',
      ]);
      await elsewhere.close();
      await expect(shown.getByText('The end')).toBeVisible();
      expect(new URL(page.url()).origin).toBe(server.url);
    });
  });
});
