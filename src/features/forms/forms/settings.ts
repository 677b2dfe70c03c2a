/**
 * Choices for a form builder (docs/specification/forms.md#settings-lists). Tessera includes no license for SurveyJS's
 * builder.
 */
export const formSettings = {
  formTypes: [
    {
      key: 'embedded_form',
      name: 'Embedded form',
      description: 'A form shown inside a page of your own site.',
    },
  ],
  postSubmitActionTypes: [
    { key: 'redirect', name: 'Redirect', description: 'Takes the visitor to another page.' },
    { key: 'show_message', name: 'Show a message', description: 'Shows a message in place of the form.' },
    { key: 'trigger_journey', name: 'Start a journey', description: 'Starts a journey for the subscriber.' },
  ],
  builderLicenseKey: '',
};
