import type { ReferenceTexts } from '../../feature.ts';

const form = {
  name: 'Visit',
  form_type: 'embedded_form',
  active: true,
  allowed_origins: ['https://www.acme.example'],
  formBuilderOptions: {
    title: 'Plan your visit',
    pages: [
      {
        name: 'you',
        elements: [
          { type: 'text', name: 'email', title: 'Your e-mail', inputType: 'email', isRequired: true },
          { type: 'text', name: 'guests', title: 'How many are you?', inputType: 'number' },
        ],
      },
    ],
  },
};

/** Introduction and example bodies for the API reference. */
export const reference: ReferenceTexts = {
  tags: { Forms: 'Forms, themes, and submissions validated on the server.' },
  examples: {
    'forms.create': form,
    'forms.replace': form,
  },
};
