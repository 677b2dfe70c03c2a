import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { buildMime } from '../../../mail/message.ts';
import { trackHtml } from './track-html.ts';
import { linkSigners, readTrackingToken } from './tracking-tokens.ts';

const { platform } = (await startTestApp({ PUBLIC_URL: 'https://mail.example.org/base' })).app;
const subject = {
  tenantId: '018f0000-0000-7000-8000-000000000001',
  messageId: '018f0000-0000-7000-8000-000000000002',
};
const BASE = 'https://mail.example.org/base';

function track(html: string, options: object = {}) {
  const trackingOptions = {
    ...subject,
    openTracking: false,
    initialOpen: false,
    clickTracking: true,
    ...options,
  };
  return trackHtml(html, trackingOptions, linkSigners(platform));
}

/** Returns the targets of the tracked links in the HTML, in order. */
function targets(html: string): (string | undefined)[] {
  return [...html.matchAll(/\/t\/c\/([\w-]+)/g)].map(
    ([, token = '']) => readTrackingToken(platform, 'click', token)?.url,
  );
}

const LEADS_TO: Readonly<Record<string, string>> = {
  '<a href="https://x.test/?utm_source=a&amp;utm_medium=b&amp;c=1">':
    'https://x.test/?utm_source=a&utm_medium=b&c=1',
  '<a href="https://x.test/?a=1&b=2">': 'https://x.test/?a=1&b=2',
  '<a href="https://x.test/?q=%26amp%3B&amp;amp;=2">': 'https://x.test/?q=%26amp%3B&amp;=2',
  '<a href="https://x.test/?a=1&copy=2&reg=3">': 'https://x.test/?a=1&copy=2&reg=3',
  '<a href="https://x.test/?a&#38;b&#x26;c">': 'https://x.test/?a&b&c',
  '<a href="https://x.test/?a&flag">': 'https://x.test/?a&flag',
  "<a class='b' href='https://x.test/s'>": 'https://x.test/s',
  '<A CLASS=b HREF = https://x.test/u?a=b>': 'https://x.test/u?a=b',
  '<a href=https://x.test/plain/>': 'https://x.test/plain/',
  '<a\n  data-x=">"\n  href="https://x.test/n"\n>': 'https://x.test/n',
  '<a title="a > b" href="https://x.test/g">': 'https://x.test/g',
  '<a href=" https://x.test/ ">': 'https://x.test/',
  '<a href="https://x.test/\n  long">': 'https://x.test/  long',
  '<a href="HTTPS://X.test/Case#Part">': 'HTTPS://X.test/Case#Part',
  '<a href="https://x.test/über?ö=é">': 'https://x.test/über?ö=é',
  '<area href="https://x.test/area">': 'https://x.test/area',
  '<a href="https://x.test/1" href="https://x.test/2">': 'https://x.test/1',
  '<!--[if mso]><v:roundrect href="https://x.test/vml"></v:roundrect><![endif]-->': 'https://x.test/vml',
  '<!--[if !mso]><!--><a href="https://x.test/web"><!--<![endif]-->': 'https://x.test/web',
  '<!-- note --><a href="https://x.test/after">': 'https://x.test/after',
  '<!--><a href="https://x.test/empty-comment">': 'https://x.test/empty-comment',
  '<style>a > b { }</style><a href="https://x.test/style">': 'https://x.test/style',
  '1 < 2 <a href="https://x.test/less">': 'https://x.test/less',
};

for (const [html, url] of Object.entries(LEADS_TO)) {
  test(`${JSON.stringify(html)} is tracked and leads to ${url}`, () => {
    assert.deepEqual(targets(track(html)), [url]);
  });
}

const UNTOUCHED = [
  '<a href="mailto:a@b.test?subject=x&amp;body=https://x.test/">',
  '<a href="tel:+123">',
  '<a href="sms:+123">',
  '<a href="#part">',
  '<a href="/relative">',
  '<a href="">',
  '<a href>',
  '<a name="x">',
  '<a href="javascript:alert(1)">',
  '<a href="https://">',
  '<a href="https://x.test/?a&copy">',
  '<a href="https://x.test/caf&eacute;">',
  '<a href="https://x.test/&#0;">',
  '<a data-no-track href="https://x.test/">',
  '<a href="https://x.test/" data-no-track="true">',
  `<a href="${BASE}/u/token">`,
  `<a href="${BASE}/preferences/token">`,
  '<link href="https://x.test/style.css">',
  '<img src="https://x.test/a.png">',
  '<!-- <a href="https://x.test/"> -->',
  '<style>/* <a href="https://x.test/"> */</style>',
  '<title><a href="https://x.test/"></title>',
  '<script src=https://x.test/>"<a href=https://x.test/>"</script>',
  '<a href="https://x.test/',
  '<a href = "https://x.test/',
  '<a href="https://x.test/"',
  '</a href="https://x.test/">',
  'plain <',
  '',
];

for (const html of UNTOUCHED) {
  test(`${JSON.stringify(html)} stays unchanged`, () => assert.equal(track(html), html));
}

test('a URL too long for a path stays unchanged', () => {
  const link = (length: number) => `<a href="${'https://x.test/?q='.padEnd(length, 'x')}">`;
  assert.equal(targets(track(link(5000))).length, 1);
  assert.equal(track(link(5001)), link(5001));
});

test('only the values of tracked links change, all other bytes stay', () => {
  const html = '<P  Class=x>ü &nbsp;<a id=1 href="https://x.test/?a&amp;b" TITLE=\'t\'>x</a><br/>\r\n';
  const tracked = track(html);
  assert.equal(tracked.replace(/"https:\/\/mail[^"]*"/, '"https://x.test/?a&amp;b"'), html);
});

test('any text is processed in linear time, and without links stays unchanged', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '=',
    '<a ',
    'href',
    ' ',
    '<!--',
    '-->',
    '<style>',
    '</style>',
    '/',
    'x',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 200 }), (parts) => {
      const html = parts.join('');
      assert.equal(track(html), html);
    }),
  );
  for (const piece of [
    '<',
    '<a ',
    '<a href="',
    '<a x=\'" ',
    '<!--',
    '<a\t',
    '&amp',
    '<style ',
    '<v:a =',
    '<!--[if ',
    '<!--[if mso]><v:a x>',
    '<!--[if mso]><v:a x>-->',
  ])
    track(piece.repeat(100_000), { openTracking: true, initialOpen: true });
  track(`<a href="https://x.test/${' '.repeat(500_000)}x">`);
  track(`<!--[if mso]>${'<v:a>'.repeat(200_000)}<![endif]-->`, { openTracking: true, initialOpen: true });
});

const PIXEL =
  /<img src="https:\/\/mail\.example\.org\/base\/t\/o\/([\w-]{64})" width="1" height="1" alt="" [^>]*>/;
const places = (html: string, options: object) =>
  track(html, { openTracking: true, ...options }).replace(PIXEL, '[pixel]');

test('the pixel is at the end of the body, or at its top on request', () => {
  const html =
    '<!doctype html><html><head><title></body></title></head><body class="x"><p>a</p></body></html>';
  assert.equal(places(html, {}), html.replace('</p></body>', '</p>[pixel]</body>'));
  assert.equal(places(html, { initialOpen: true }), html.replace('<p>', '[pixel]<p>'));
  assert.equal(places('<p>a</p>', {}), '<p>a</p>[pixel]');
  assert.equal(places('<p>a</p>', { initialOpen: true }), '[pixel]<p>a</p>');
  const headless = '<!-- x -->\n<!DOCTYPE html><html><head><style>b{}</style></head><p>a</p>';
  assert.equal(places(headless, { initialOpen: true }), headless.replace('<p>', '[pixel]<p>'));
  assert.equal(places('<body>a</body>b</body>c', {}), '<body>a</body>b[pixel]</body>c');
});

test('a long text before the content is processed in linear time', () => {
  for (const piece of [
    '<!-- x -->',
    '<!doctype html>',
    ' \n',
    '<html>',
    '<head>',
    '<head></head>',
    '<?x?>',
    '</x>',
  ]) {
    const prelude = piece.repeat((piece.trim() === '' ? 10_000_000 : 200_000) / piece.length);
    const tracked = places(`${prelude}<p>a</p>`, { initialOpen: true });
    assert.equal(tracked.replace('[pixel]', ''), `${prelude}<p>a</p>`);
    if (!['<head>', '</x>', ' \n'].includes(piece)) assert.ok(tracked.endsWith('[pixel]<p>a</p>'), piece);
  }
});

test('the pixel is placed correctly among tracked links', () => {
  const link = '<a href="https://x.test/">x</a>';
  const tracked = track(`<body>${link}${link}</body>${link}`, { openTracking: true });
  assert.match(tracked, /<\/a><img [^>]*><\/body><a href/);
  assert.equal(targets(tracked).length, 3);
});

test('the pixel names the message, and without tracking nothing is added', () => {
  const [, token = ''] = PIXEL.exec(track('', { openTracking: true })) ?? [];
  assert.deepEqual(readTrackingToken(platform, 'open', token), { ...subject, url: '', originalUrl: '' });
  const html = '<body><a href="https://x.test/">x</a></body>';
  assert.equal(track(html, { clickTracking: false }), html);
  assert.equal(track(html, { clickTracking: false, initialOpen: true }), html);
});

test('long links with dots and equals signs survive MIME encoding', async () => {
  const url = `https://x.test/..?${Array.from({ length: 60 }, (_, n) => `utm_${n}=.${n}.é`).join('&')}`;
  const html = `<p>ü</p>\n.\n<a href="${url.replaceAll('&', '&amp;')}">x</a>`;
  const tracked = track(html, { openTracking: true });
  const mime = await buildMime({
    from: { address: 'a@x.test' },
    to: { address: 'b@x.test' },
    subject: 's',
    html: tracked,
    headers: {},
    messageId: '<1@x.test>',
    date: new Date(),
    attachments: [],
    envelope: { from: 'a@x.test', to: 'b@x.test' },
  });
  assert.ok(
    mime
      .toString()
      .split('\r\n')
      .every((line) => line.length <= 998),
  );
  const parsed = await simpleParser(mime);
  assert.deepEqual(targets(String(parsed.html)), [url]);
});
