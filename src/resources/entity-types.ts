/**
 * The kinds of record that leave history, as `entityType` names them
 * (docs/specification/history.md#entity-types).
 */
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
] as const;

/** Kinds that leave history, too, and that the documented list does not have: nobody asks for them by `entityType`. */
type UnlistedType = 'entity' | 'automation';

/** One of the kinds of record that leave history. */
export type EntityType = (typeof ENTITY_TYPES)[number] | UnlistedType;
