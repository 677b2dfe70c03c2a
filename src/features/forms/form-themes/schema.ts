import Type, { type Static } from 'typebox';
import { asWritten } from '../../../http/schemas.ts';

const logoPosition = Type.Optional(Type.String());

const Header = Type.Object(
  {
    height: Type.Optional(Type.Number()),
    inheritWidthFrom: Type.Optional(Type.String()),
    textAreaWidth: Type.Optional(Type.Number()),
    logoPositionX: logoPosition,
    logoPositionY: logoPosition,
    titlePositionX: logoPosition,
    titlePositionY: logoPosition,
    descriptionPositionX: logoPosition,
    descriptionPositionY: logoPosition,
    overlapEnabled: Type.Optional(Type.Boolean()),
    backgroundImageOpacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { title: 'ThemeHeader' },
);

/**
 * Options of a theme (docs/specification/forms.md#form-themes). They are stored and returned unchanged, including
 * unknown ones.
 */
export const ThemeOptions = Type.Object(
  {
    themeName: Type.Optional(Type.String()),
    colorPalette: Type.Optional(Type.Enum(['light', 'dark'])),
    isPanelless: Type.Optional(Type.Boolean()),
    backgroundImage: Type.Optional(Type.String({ description: 'URL.' })),
    backgroundImageFit: Type.Optional(Type.Enum(['auto', 'contain', 'cover'])),
    backgroundImageAttachment: Type.Optional(Type.String()),
    backgroundOpacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    primaryColor: Type.Optional(Type.String()),
    header: Type.Optional(Header),
    cssVariables: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Values by CSS variable.' }),
    ),
  },
  { title: 'ThemeOptions' },
);

/** Parts of a theme that a page needs to show a form. */
export const ThemeForRendering = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    // Not a declared shape, which would drop unknown options.
    formBuilderThemeOptions: Type.Unsafe<Static<typeof ThemeOptions>>(asWritten(ThemeOptions)),
  },
  { title: 'ThemeForRendering' },
);
