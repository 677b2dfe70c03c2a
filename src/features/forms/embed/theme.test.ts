import assert from 'node:assert/strict';
import test from 'node:test';
import { withContrast } from '../../../http/color.ts';
import { toSurveyTheme } from './theme.ts';

function variable(options: Record<string, unknown> | null, name: string): string | undefined {
  return toSurveyTheme(options).cssVariables?.[name];
}

test('the primary colour overrides the accent in the variables of the theme', () => {
  const options = { primaryColor: '#123456', cssVariables: { '--sjs-primary-backcolor': 'red' } };
  assert.equal(variable(options, '--sjs-primary-backcolor'), '#123456');
  assert.equal(
    variable({ cssVariables: { '--sjs-primary-backcolor': 'red' } }, '--sjs-primary-backcolor'),
    'red',
  );
});

test('text on the primary colour is readable', () => {
  const foreground = (primaryColor: string, colorPalette: string): string | undefined =>
    variable({ primaryColor, colorPalette }, '--sjs-primary-forecolor');
  assert.equal(foreground('#0f766e', 'light'), '#ffffff');
  assert.equal(foreground('#fc0', 'dark'), '#000000');
  assert.equal(foreground('rgb(255, 204, 0)', 'dark'), '#000000');
});

test('a primary colour that is unreadable on its background is adjusted', () => {
  assert.notEqual(variable({ primaryColor: '#fc0' }, '--sjs-primary-backcolor'), '#fc0');
  assert.equal(variable({ primaryColor: '#fc0' }, '--sjs-primary-forecolor'), '#ffffff');
});

test('the primary button keeps the chosen colour, with readable text', () => {
  assert.equal(variable({ primaryColor: '#fc0' }, '--tessera-fill'), '#fc0');
  assert.equal(variable({ primaryColor: '#fc0' }, '--tessera-on-fill'), '#000000');
  assert.equal(variable({ primaryColor: '#0f766e' }, '--tessera-on-fill'), '#ffffff');
  // The contrast of a named colour is unknown.
  assert.equal(variable({ primaryColor: 'gold' }, '--tessera-fill'), undefined);
});

test('a custom theme keeps hints, errors and borders readable', () => {
  for (const options of [
    {},
    { colorPalette: 'dark' },
    { cssVariables: { '--sjs-general-backcolor': '#fff7e0' } },
  ]) {
    const { cssVariables = {} } = toSurveyTheme(options);
    const of = (name: string): string => cssVariables[name] ?? '';
    const background = of('--sjs-general-backcolor');
    for (const name of ['--sjs-general-forecolor-light', '--sjs-special-red', '--sjs-primary-backcolor'])
      assert.equal(withContrast(of(name), [background], 4.5), of(name), name);
    assert.equal(withContrast(of('--tessera-border'), [background], 3), of('--tessera-border'));
    assert.match(of('--sjs-shadow-inner'), /^inset 0 0 0 1px /);
  }
});

test('values that could load something or escape their declaration are omitted', () => {
  const unsafe = [
    'url(https://x)',
    'URL (x)',
    'red;color:blue',
    'red}',
    '{',
    '\\75rl(x)',
    'a/**/b',
    'image-set("x" 1x)',
    '</style>',
    'x'.repeat(301),
    null,
    {},
  ];
  for (const value of unsafe) {
    assert.equal(variable({ cssVariables: { '--x': value } }, '--x'), undefined);
  }
  assert.equal(variable({ cssVariables: { color: 'red' } }, 'color'), undefined);
  assert.equal(variable({ cssVariables: { '--x y': 'red' } }, '--x y'), undefined);
  assert.equal(
    variable({ cssVariables: { '--x': '0px 1px 2px rgba(0, 0, 0, 0.15)' } }, '--x'),
    '0px 1px 2px rgba(0, 0, 0, 0.15)',
  );
  assert.equal(
    variable({ primaryColor: 'red;}' }, '--sjs-primary-backcolor'),
    variable({}, '--sjs-primary-backcolor'),
  );
});

test('a theme name and a palette alone select the predefined colours', () => {
  const background = (options: Record<string, unknown>): string | undefined =>
    variable(options, '--sjs-general-backcolor-dim');
  const dark = background({ colorPalette: 'dark' });
  assert.notEqual(dark, background({ colorPalette: 'light' }));
  assert.notEqual(background({ themeName: 'Contrast', colorPalette: 'dark' }), dark);
  assert.equal(background({ themeName: 'no such theme', colorPalette: 'dark' }), dark);
});

test('options of the wrong type or range are omitted and the others are used', () => {
  const theme = toSurveyTheme({
    isPanelless: 'yes',
    backgroundImage: 'javascript:alert(1)',
    backgroundImageFit: 'cover',
    backgroundImageAttachment: 'everywhere',
    backgroundOpacity: 2,
    header: {
      height: 200,
      titlePositionX: 'center',
      logoPositionY: 'left',
      overlapEnabled: true,
      onclick: 'x',
    },
    unknown: 1,
  });
  const { cssVariables: _, ...rest } = theme;
  assert.deepEqual(rest, {
    backgroundImageFit: 'cover',
    header: { height: 200, titlePositionX: 'center', overlapEnabled: true },
  });
});

test('an image URL cannot end its url()', () => {
  const { backgroundImage } = toSurveyTheme({
    backgroundImage: 'https://a.example/i.png?a=(b)&c=\'d\' "e")',
  });
  assert.doesNotMatch(backgroundImage ?? ')', /["'()\\\s]/);
  assert.match(backgroundImage ?? '', /^https:\/\/a\.example\/i\.png\?a=%28b%29/);
});
