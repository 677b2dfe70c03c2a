import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the API reference for this area. */
export const reference: ReferenceTexts = {
  tags: { 'E-mail templates': 'Templates with versions, shared snippets, previews.' },
  examples: {
    'templates.create': {
      name: 'Welcome',
      from_email: 'hello@mail.acme.example',
      from_name: 'Acme',
      transactional: false,
      open_tracking: true,
      click_tracking: true,
    },
    'templates.replace': {
      name: 'Welcome',
      from_email: 'hello@mail.acme.example',
      from_name: 'Acme',
      transactional: false,
      open_tracking: true,
      click_tracking: true,
    },
    'templates.create_version': {
      active: true,
      subject: 'Welcome, {{first_name}}',
      html_content: '<p>Hello {{first_name}}, <a href="https://acme.example">look around</a>.</p>',
      generate_plain_content: true,
      test_data: { first_name: 'Ada' },
    },
    'templates.replace_version': {
      active: true,
      subject: 'Welcome, {{first_name}}',
      html_content: '<p>Hello {{first_name}}, <a href="https://acme.example">look around</a>.</p>',
      generate_plain_content: true,
      test_data: { first_name: 'Ada' },
    },
    'templates.preview': {
      substitution_data: { first_name: 'Ada' },
      content: {
        from: 'hello@mail.acme.example',
        subject: 'Welcome, {{first_name}}',
        html: '<p>Hello {{first_name}}.</p>',
      },
    },
    'templates.clone': { template_id: '01a1fe3f-6085-70cf-bb51-523bc8728d31', name: 'Welcome, again' },
  },
};
