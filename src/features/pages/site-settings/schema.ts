import Type, { type TSchema } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { versionOption } from '../../../resources/body.ts';

/** Maximum length of names, addresses and descriptions. */
const MAX_TEXT = 5000;
/** Maximum size of a project's settings as JSON, in bytes. */
export const MAX_SETTINGS_BYTES = 256 * 1024;

const optional = (schema: TSchema) => Type.Optional(nullable(schema));
const Text = Type.String({ maxLength: MAX_TEXT });
const Image = Type.Object(
  { url: Text, alt: Type.Optional(nullable(Text)) },
  { title: 'SiteImage', description: 'Image, such as an asset.' },
);
const Font = Type.Object(
  {
    source: optional(Text),
    family: optional(Text),
    googleFamily: optional(Text),
  },
  { title: 'Font' },
);
const SliceId = Type.String({ maxLength: 128, description: 'Slice id.' });

/** Documented settings of a site (docs/specification/pages.md#site-settings). */
const known = {
  website_name: optional(Text),
  favicon: optional(Image),
  logo_full_light: optional(Image),
  logo_full_dark: optional(Image),
  logo_compact_light: optional(Image),
  logo_compact_dark: optional(Image),
  typography: optional(
    Type.Object({ body: optional(Font), heading: optional(Font) }, { title: 'Typography' }),
  ),
  nav_header: optional(SliceId),
  nav_footer: optional(SliceId),
  social_facebook: optional(Text),
  ga_measurement_id: optional(Text),
  default_meta_title: optional(Text),
  default_meta_description: optional(Text),
};

/** Common fields of records. Bodies may contain them, but they are not settings. */
export const RECORD_FIELDS = ['id', 'project_id', 'version', 'created_at', 'updated_at'];

/** Body of settings; other fields are stored unchanged. */
export const SettingsBody = Type.Object(
  { ...known, ...versionOption },
  { additionalProperties: true, title: 'SiteSettingsReplace' },
);

interface Settings {
  readonly id: string;
  readonly [name: string]: unknown;
}

/** Settings in replies, in their original form; only the id if a project has none. */
export const SettingsReply = Type.Unsafe<Settings>(
  Type.Object(
    {
      id: Type.String(),
      project_id: Type.Optional(Type.String()),
      version: Type.Optional(Type.Integer()),
      created_at: Type.Optional(Type.String()),
      updated_at: Type.Optional(Type.String()),
    },
    { additionalProperties: true, title: 'SiteSettings' },
  ),
);
