import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readAddress } from './stored-address.ts';

suite('addresses as they are stored (TRK-5)', () => {
  const site = 'https://shop.example';
  const hex = '0123456789abcdef0123456789abcdef';
  const random = 'q3Zx8Kp_1Lm-Wv7TnB2sYc9RfH4jD6gA0eUiOoPzXyQ';
  const webToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P';

  for (const [search, stored] of [
    ['', ''],
    ['?', ''],
    ['?page=2&sort=-price', '?page=2&sort=-price'],
    ['?q=%C3%A9t%C3%A9+2026&empty=&flag', '?q=%C3%A9t%C3%A9+2026&empty=&flag'],
    ['?utm_source=news&utm_campaign=2026-Q1_Newsletter_Customers_Germany', undefined],
    ['?utm_campaign=the-quick-brown-fox-jumps-over-the-lazy-dog', undefined],
    ['?author=ada&monkey=1&postcode=12345', undefined],
    ['?token=1', ''],
    ['?a=1&access_token=x&b=2', '?a=1&b=2'],
    ['?accessToken=x', ''],
    ['?ACCESS-TOKEN=x', ''],
    ['?%74oken=x', ''],
    ['?reset%5Btoken%5D=x', ''],
    ['?key=x', ''],
    ['?apiKey=x', ''],
    ['?api_key=x', ''],
    ['?code=4711&state=open', '?state=open'],
    ['?auth=x', ''],
    ['?oauth_verifier=x', ''],
    ['?session=x', ''],
    ['?PHPSESSID=x', ''],
    ['?password=x&new_passwd=y&pwd=z', ''],
    ['?sid=x', ''],
    ['?jwt=x', ''],
    ['?X-Amz-Signature=x', ''],
    ['?otp=123456', ''],
    ['?ctm_aid=a-1-b&ctm_uid=7&ctm_ucn=people&x=1', '?x=1'],
    ['?email=x', ''],
    ['?user=ada%40people.example', ''],
    ['?user=ada@people.example', ''],
    ['?ada@people.example', ''],
    [`?x=${hex}`, ''],
    [`?${hex}`, ''],
    [`?x=${random}`, ''],
    [`?x=${webToken}`, ''],
    ['?id=019b0000-0000-7000-8000-000000000000', ''],
    ['?next=%2Freset%3Ftoken%3Dabc', ''],
    ['?next=%252Freset%253Ftoken%253Dabc', ''],
    ['?next=%2Fshop%3Fpage%3D2', undefined],
    ['?x=%E0%A4%A&y=1', undefined],
  ] as const) {
    test(`parameters ${search || 'none'}`, () => {
      assert.equal(readAddress(`${site}/a${search}#token=1`)?.url, `${site}/a${stored ?? search}`);
    });
  }

  for (const [path, stored] of [
    ['/', '/'],
    ['/en/shoes/nike-air-max-270-react-ab1234cd-blue-and-white', undefined],
    ['/orders/019b0000-0000-7000-8000-000000000000', undefined],
    [`/reset/${hex}/now`, '/reset/*/now'],
    [`/reset/${random}`, '/reset/*'],
    [`/login/${webToken}`, '/login/*'],
    ['/people/ada@people.example', '/people/*'],
    ['/people/ada%40people.example/edit', '/people/*/edit'],
  ] as const) {
    test(`path ${path}`, () => {
      const address = readAddress(site + path);
      assert.deepEqual([address?.path, address?.url], [stored ?? path, site + (stored ?? path)]);
    });
  }

  for (const [address, page] of [
    ['/about/', '/about'],
    ['/about//', '/about'],
    ['//', '/'],
    ['/docs/index.html', '/docs'],
    ['/index.php?p=12', '/?p=12'],
    ['/#/pricing', '/#/pricing'],
    ['/app/#!/a/b/?x=1&id=7', '/app#!/a/b?id=7'],
    ['/#/', '/'],
    ['/#!/?utm_source=x', '/'],
    ['/#top', '/'],
    ['/a#12/48.1/11.5', '/a'],
    ['/?p=12&s=x', '/?p=12'],
    ['/?cat=3&p=12', '/?cat=3&p=12'],
    ['/?p=12&cat=3', '/?cat=3&p=12'],
    ['/?p=', '/'],
    ['/%C3%BCber', '/über'],
    ['/u%cc%88ber/', '/über'],
    ['/my%20page%7E', '/my page~'],
    ['/100%25/a%2Fb%3Fc%23d', '/100%25/a%2Fb%3Fc%23d'],
    ['/%E2%80%AEgpj%00%FF', '/%E2%80%AEgpj%00%FF'],
    ['/#/%C3%BCber', '/#/über'],
    [`/#/reset/${hex}`, '/#/reset/*'],
    ['/#/login?token=1&id=2', '/#/login?id=2'],
    ['/#/people/ada@people.example', '/#/people/*'],
  ] as const) {
    test(`page of ${address}`, () => assert.equal(readAddress(site + address)?.path, page));
  }

  test('a fragment is kept where it is a page', () => {
    const read = (address: string, more = {}) => {
      const { path, url } = readAddress(site + address, more)!;
      return [path, url.slice(site.length)];
    };
    assert.deepEqual(read('/a/?q=1#/b?c=1'), ['/a#/b', '/a/?q=1#/b?c=1']);
    assert.deepEqual(read('/', { hash: '#/pricing' }), ['/#/pricing', '/#/pricing']);
    assert.deepEqual(read('/', { hash: '#top' }), ['/', '/']);
    assert.deepEqual(read('/#/a', { hash: '#/b' }), ['/#/a', '/#/a']);
    assert.deepEqual(read('/docs?q=1#install', { page: '/docs#install' }), [
      '/docs#install',
      '/docs?q=1#install',
    ]);
    assert.deepEqual(read('/?q=1', { page: '?q=1' }), ['/?q=1', '/?q=1']);
    assert.deepEqual(read('/#/a', { page: 'products' }), ['/products', '/']);
    assert.deepEqual(read('/a', { page: 'https://other.example/b' }), ['/a', '/a']);
    assert.deepEqual(read('/a', { page: '/b?token=1#access_token=1&x=2' }), ['/b#*', '/a#*']);
  });

  test('host and origin are those that a browser sees', () => {
    const read = (text: string) => {
      const { host, origin, url } = readAddress(text) ?? {};
      return [host, origin, url];
    };
    assert.deepEqual(read('HTTPS://Ada:secret@Shop.Example:443/A'), ['shop.example', site, `${site}/A`]);
    assert.deepEqual(read('https://bücher.example'), [
      'xn--bcher-kva.example',
      'https://xn--bcher-kva.example',
      'https://xn--bcher-kva.example/',
    ]);
    assert.deepEqual(read('http://localhost:3000/'), [
      'localhost:3000',
      'http://localhost:3000',
      'http://localhost:3000/',
    ]);
    assert.deepEqual(read('android-app://com.example.mail/'), [
      'com.example.mail',
      'null',
      'android-app://com.example.mail/',
    ]);
    for (const text of ['', 'shop.example', '/a', 'https://']) assert.equal(readAddress(text), undefined);
  });

  test('what is stored is bounded', () => {
    const address = readAddress(`${site}/${'é'.repeat(1_900)}`);
    assert.deepEqual([address?.path.length, address?.url.length], [1_024, 2_048]);
  });

  /** Of the fastest of three: the machine may have other work. */
  const timeMs = (text: string) =>
    Math.min(
      ...Array.from({ length: 3 }, () => {
        const started = performance.now();
        readAddress(text);
        return performance.now() - started;
      }),
    );
  // Much longer than what is accepted, so that a time that grows with the square of the length shows.
  const repeat = (piece: string) => piece.repeat(20_000).slice(0, 20_000);

  for (const piece of [
    '@',
    '@a',
    'a@',
    '@.',
    '?',
    '&=',
    '%',
    '%25',
    '-',
    '_',
    'a',
    'A',
    '1',
    'a1-',
    'A1a',
    'abcdefgh-',
    'eyJ',
    'eyJabcdefgh',
    'eyJ.',
    'eyJabcdefgh.',
    'token-',
    'key',
    '0123abcd-',
    '0123abcd-0123-',
    '[',
    '=',
    '#a',
    ';a',
    '/',
  ])
    test(`a long address of ${piece} takes about the time of any other`, () => {
      for (const place of ['/?x=', '/?', '/']) {
        const harmless = timeMs(site + place + repeat('word%20&a/'));
        const ms = timeMs(site + place + repeat(piece));
        assert.ok(ms < 10 * harmless + 50, `${place}: ${ms} ms, and ${harmless} ms`);
      }
    });
});
