import type { ReferenceTexts } from '../../feature.ts';

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  examples: {
    'form_themes.create': {
      name: 'Evening',
      formBuilderThemeOptions: { colorPalette: 'dark', primaryColor: '#5eead4' },
    },
    'form_themes.replace': {
      name: 'Evening',
      formBuilderThemeOptions: { colorPalette: 'dark', primaryColor: '#5eead4' },
    },
  },
};
