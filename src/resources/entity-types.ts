import Type from 'typebox';

/** The kinds of record with history, as `entityType` names them (docs/specification/history.md#entity-types). */
export const ENTITY_TYPES = [
  'ai_assistant',
  'ai_thread',
  'ai_vector_index',
  'business_unit',
  'tenant_membership',
  'business_unit_grant',
  'email_settings',
  'email_template',
  'email_template_snippet',
  'form',
  'form_theme',
  'form_submission',
  'marketing_audience',
  'marketing_list',
  'marketing_campaign',
  'marketing_email',
  'marketing_email_sending_job',
  'marketing_subscriber',
  'pages_document_model',
  'pages_slice_model',
  'pages_document',
  'pages_project_metadata',
  'pages_url_redirect',
  'pages_site_settings',
  'user_journey',
  'user_journey_state',
  'webhook',
  // Extensions: kinds that the documented list lacks.
  'entity',
  'automation',
] as const;

/** A kind of record with history. */
export type EntityType = (typeof ENTITY_TYPES)[number];

/** The name of a kind of record. */
export const EntityTypeName = Type.Enum([...ENTITY_TYPES], {
  title: 'EntityTypeName',
  description: 'Type of record.',
});
