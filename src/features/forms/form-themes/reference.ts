import type { ReferenceTexts } from '../../feature.ts';

/** Introduction and example bodies for the API reference. */
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
