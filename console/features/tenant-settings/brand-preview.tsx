import { accentOf } from '../../shell/accent.ts';
import { toHex } from '../../shell/apply-accent.ts';
import classes from './brand-preview.module.css';
import { texts } from './texts.ts';

const { translate } = texts;
const THEMES = ['light', 'dark'] as const;

/** A button and a link in the tenant's colour, on light and dark ground; for any other text, a message. */
export function BrandPreview({ color }: { readonly color: string }) {
  const hex = toHex(color);
  if (hex === null)
    return color.trim() === '' ? null : <p className={classes.caption}>{translate('brand.unknown')}</p>;
  const isAdjusted = THEMES.some((theme) => accentOf(hex, theme).solid !== hex);
  return (
    <figure className={classes.preview}>
      <div className={classes.themes}>
        {THEMES.map((theme) => {
          const { solid, text, onSolid } = accentOf(hex, theme);
          const variables = { '--solid': solid, '--ink': text, '--on': onSolid };
          return (
            <div key={theme} className={classes.theme} data-theme={theme} style={variables}>
              <span className={classes.button}>{translate('brand.sample')}</span>
              <span className={classes.link}>{translate('brand.sample.link')}</span>
            </div>
          );
        })}
      </div>
      <figcaption className={classes.caption}>
        {translate(isAdjusted ? 'brand.adjusted' : 'brand.preview')}
      </figcaption>
    </figure>
  );
}
