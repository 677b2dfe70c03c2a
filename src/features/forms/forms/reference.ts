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

/** What the reference says of this area: what its groups are about, and bodies to begin with. */
export const reference: ReferenceTexts = {
  tags: { Forms: 'Forms, their themes, and the submissions that the server has checked.' },
  examples: {
    'forms.create': form,
    'forms.replace': form,
  },
};
