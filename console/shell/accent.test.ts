import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { accentOf } from './accent.ts';

const SURFACES = { light: '#ffffff', dark: '#1a1c1f' } as const;

/** Contrast of two colours (WCAG 2.2), computed on its own. */
function contrast(a: string, b: string): number {
  const luminance = (color: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const share = Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
      return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
    }, 0);
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const colors = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('every brand colour gives an accent that is visible and readable in both themes', () => {
  fc.assert(
    fc.property(colors, fc.constantFrom('light', 'dark'), (color, theme) => {
      const { solid, text, onSolid } = accentOf(color, theme);
      assert.ok(contrast(solid, SURFACES[theme]) >= 3, 'the solid colour on the surface');
      assert.ok(contrast(text, SURFACES[theme]) >= 4.5, 'text on the surface');
      assert.ok(contrast(onSolid, solid) >= 4.5, 'text on the solid colour');
    }),
  );
});

test('a brand colour that is readable stays as it is', () => {
  assert.deepEqual(accentOf('#0f766e', 'light'), {
    solid: '#0f766e',
    hover: '#0e6a63',
    text: '#0f766e',
    onSolid: '#ffffff',
  });
});

test('light yellow becomes darker on a light surface and stays on a dark one', () => {
  assert.notEqual(accentOf('#ffee00', 'light').solid, '#ffee00');
  assert.equal(accentOf('#ffee00', 'dark').solid, '#ffee00');
  assert.equal(accentOf('#fe0', 'dark').solid, '#ffee00');
});

test('a text that is not a colour is refused', () => {
  assert.throws(() => accentOf('yellow', 'light'), /must be a colour such as #0f766e/);
});
