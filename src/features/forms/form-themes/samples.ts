import { plainSamples } from '../../../../test/contract/plain-samples.ts';
import { shortCode } from '../../../secrets/codes.ts';

export const { record, samples } = plainSamples({
  id: 'form_themes',
  path: '/api/form_themes',
  key: 'code',
  absent: shortCode,
  fields: { name: 'Theme', formBuilderThemeOptions: {} },
});
