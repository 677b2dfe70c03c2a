import type { Static } from 'typebox';
import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { shortCode } from '../../../secrets/codes.ts';
import { forms } from './resource.ts';

const visit = (name: NameOf): Static<typeof forms.replaceBody> => ({
  name: 'Visit',
  form_type: 'embedded_form',
  active: true,
  theme_code: name('theme'),
  allowed_origins: ['https://www.acme.example'],
  formBuilderOptions: {
    title: 'Plan your visit',
    pages: [
      {
        name: 'you',
        elements: [
          { type: 'text', name: 'email', title: 'Your email', inputType: 'email', isRequired: true },
          { type: 'text', name: 'guests', title: 'How many are you?', inputType: 'number' },
        ],
      },
    ],
  },
});

/** Examples of this feature's operations. */
export const examples: FeatureExamples = {
  records: {
    form: {
      path: '/api/forms/{code}',
      createdBy: 'forms.create',
      shown: '<code of a form>',
      absent: shortCode,
    },
    /** Its webhooks remain when the first form is deleted. */
    hooked_form: { createdBy: 'forms.create', shown: '<code of a form>', absent: shortCode },
  },
  requests: {
    'forms.create': body(forms.createBody)(visit),
    'forms.replace': body(forms.replaceBody)(visit),
  },
};
