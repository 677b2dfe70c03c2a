import type { Static } from 'typebox';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { shortCode } from '../../../secrets/codes.ts';
import { themes } from './resource.ts';

const evening: Static<typeof themes.replaceBody> = {
  name: 'Evening',
  formBuilderThemeOptions: { colorPalette: 'dark', primaryColor: '#5eead4' },
};

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  records: {
    theme: { path: '/api/form_themes/{code}', createdBy: 'form_themes.create', absent: shortCode },
  },
  requests: {
    'form_themes.create': body(themes.createBody)(evening),
    'form_themes.replace': body(themes.replaceBody)(evening),
  },
};
