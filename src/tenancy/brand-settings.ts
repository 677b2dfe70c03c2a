import Type, { type Static } from 'typebox';

const MAX_URL_LENGTH = 2000;
const MAX_COLOR_LENGTH = 100;

/** Branding of a tenant's pages and mail (docs/specification/tenants.md#settings). */
export const BrandSettings = Type.Object(
  {
    logo_url: Type.String({ maxLength: MAX_URL_LENGTH }),
    primary_color: Type.String({ maxLength: MAX_COLOR_LENGTH }),
    locale: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
        maxLength: 35,
        description: 'Language tag for recipients of unknown language. Default: English.',
      }),
    ),
  },
  { title: 'BrandSettings' },
);
/** Branding of a tenant's pages and mail. */
export type BrandSettings = Static<typeof BrandSettings>;

/** Some of the brand settings. */
export const BrandSettingsChange = Type.Partial(BrandSettings, { title: 'BrandSettingsChange' });
