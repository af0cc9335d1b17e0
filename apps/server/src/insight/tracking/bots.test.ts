import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createScanDetector, readRequester } from './bots.ts';
import { describeClient } from './client.ts';

suite('requests of bots (R11.1)', () => {
  const machines = [
    '',
    ' ',
    // Apple Mail Privacy Protection.
    'Mozilla/5.0',
    // Gmail, before anybody opens the message.
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
    'Mozilla/5.0 (compatible; Barracuda Sentinel)',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Microsoft Office Existence Discovery',
    'python-requests/2.31.0',
    'curl/8.5.0',
    'Go-http-client/2.0',
  ];
  for (const userAgent of machines)
    test(`${JSON.stringify(userAgent)} is recognized as a bot`, () => {
      assert.equal(readRequester({ 'user-agent': userAgent }), 'bot');
    });
  test('requests without user agent or with prefetch are bots', () => {
    assert.equal(readRequester({}), 'bot');
    const person = { 'user-agent': people[0]! };
    assert.equal(readRequester({ ...person, 'sec-purpose': 'prefetch;prerender' }), 'bot');
    assert.equal(readRequester({ ...person, purpose: 'prefetch' }), 'bot');
    assert.equal(readRequester({ ...person, 'x-purpose': 'preview' }), 'bot');
  });

  const proxies = [
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'hey.com/imageproxy Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0.0.0 Safari/537.36',
  ];
  for (const userAgent of proxies)
    test(`${userAgent} may hide a person`, () => {
      assert.equal(readRequester({ 'user-agent': userAgent }), 'image_proxy');
      assert.equal(readRequester({ 'user-agent': userAgent, purpose: 'prefetch' }), 'bot');
    });

  const people = [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0',
    'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0',
    'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Win64; x64; Trident/7.0; .NET4.0C; Microsoft Outlook 16.0.5426; ms-office; MSOffice 16)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    // A phone of a brand that ends in "bot".
    'Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  ];
  for (const userAgent of people)
    test(`${userAgent} is not recognized as a bot`, () => {
      assert.equal(readRequester({ 'user-agent': userAgent }), 'person');
    });
});

suite('scan detector (R11.2)', () => {
  test('the third distinct link within ten seconds marks a scan', () => {
    const looksLikeScan = createScanDetector();
    const links = [0, 0, 1, 1, 2, 0].map((linkNo) => looksLikeScan('a', linkNo, 1_000));
    assert.deepEqual(links, [false, false, false, false, true, true]);
    assert.equal(looksLikeScan('b', 2, 1_000), false);
  });

  test('a scan is forgotten after ten seconds', () => {
    const looksLikeScan = createScanDetector();
    for (const linkNo of [0, 1]) looksLikeScan('a', linkNo, 1_000);
    assert.equal(looksLikeScan('a', 2, 11_001), false);
  });
});

suite('networks of addresses (TRK-5)', () => {
  const prefixes: [string, string | null][] = [
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8:0001::6', '2001:db8:1::/48'],
    ['2001:db8::6', '2001:db8::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['::1', '::/48'],
    ['unknown', null],
    ['', null],
  ];
  for (const [address, prefix] of prefixes)
    test(`${address} belongs to ${prefix}`, () => {
      assert.equal(describeClient({}, address).ipPrefix, prefix);
    });

  test('an unknown address has no network', () => {
    assert.deepEqual(describeClient({}, 'unknown'), { userAgent: null, ipPrefix: null });
  });
});
