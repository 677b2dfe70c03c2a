import assert from 'node:assert/strict';
import test from 'node:test';
import { brandHeader, brandOf, brandStyle } from './brand.ts';
import { flatten, withContrast } from './color.ts';
import { cardHeaders } from './page.ts';

const brand = (primary_color: string, logo_url = '', name = 'Shop') =>
  brandOf({ name, brand_settings: { logo_url, primary_color } });

/** True if a colour has the contrast to a background, so that it stays unchanged. */
const stands = (color: string, ground: string, ratio: number) =>
  withContrast(color, [ground], ratio) === color;

test('with any colour, the text of a button is readable and controls stand out on light and dark', () => {
  for (const color of [
    '#ffffff',
    '#000',
    '#facc15',
    '#7c3aed',
    'rgb(120, 120, 120)',
    '#ff000033',
    '#777777',
  ]) {
    const { colors } = brand(color);
    assert.ok(colors, color);
    assert.equal(colors.fill, flatten(color, '#ffffff'));
    assert.ok(stands(colors.onFill, colors.fill, 4.5), `text on ${color}`);
    assert.ok(stands(colors.accentLight, '#ffffff', 3), `${color} on light`);
    assert.ok(stands(colors.accentDark, '#1c1917', 3), `${color} on dark`);
  }
});

test('an invalid colour is ignored and never reaches a page', () => {
  for (const color of ['', 'teal', 'red; background: url(//evil.test)', 'rgb(1.2.3, 4, 5)', 'oklch(1 0 0)'])
    assert.equal(brandStyle(brand(color)), '');
});

test('a logo must be a web URL, and only its origin may be loaded', () => {
  for (const address of ['', 'logo.png', 'javascript:alert(1)', 'data:image/png;base64,AAAA', 'https://'])
    assert.equal(brand('', address).logo, null);
  const shown = brand('', "https://cdn.example/a.png?x='><script>", '<b>Shop</b>');
  assert.match(cardHeaders(shown)['content-security-policy'] ?? '', /img-src data: https:\/\/cdn\.example;/);
  assert.doesNotMatch(brandHeader(shown).toString(), /<script|<b>|'>/);
  assert.match(brandHeader(brand('', '', '<b>Shop</b>')).toString(), /&lt;b&gt;Shop/);
});
