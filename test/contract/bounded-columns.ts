/** Bounds of the text, JSON and bytes that the database stores, by table, for `column-bounds.test.ts`. */

/** Kinds of bounds. */
export const KINDS = {
  schema:
    'the schema of a body, or a check next to it: a length, a format, an enum, or a number of items of limited length',
  platform: 'written by the platform, and short',
  cut: 'truncated when it is written',
  chunked: 'its body; lists and pages show it in chunks, as the memory budget allows',
  unlisted: 'its body; no list shows it',
  budget: 'its body; it is read when the memory budget allows it',
} as const;

/** Columns by kind of bound, separated by spaces. */
export type Bounds = Readonly<Partial<Record<keyof typeof KINDS, string>>>;

/** Columns of every work queue. */
const WORK_QUEUE = { platform: 'state', cut: 'last_error' } as const;

/** All columns with text, JSON or bytes, by table. */
export const BOUNDED_COLUMNS: Readonly<Record<string, Bounds>> = {
  ...tenants(),
  ...email(),
  ...marketing(),
  ...content(),
  ...records(),
  ...flows(),
  ...assistants(),
};

function tenants(): Readonly<Record<string, Bounds>> {
  return {
    api_keys: { chunked: 'name', platform: 'prefix digest' },
    browser_sessions: { platform: 'digest ip_address', cut: 'user_agent' },
    business_unit_grants: { schema: 'role' },
    business_units: { schema: 'name slug' },
    drafts: { schema: 'entity_type sort_key', unlisted: 'data' },
    idempotency_keys: { platform: 'caller fingerprint', schema: 'key', unlisted: 'answer' },
    delivery_attempts: { platform: 'blocked_by', cut: 'error response_headers response_body' },
    hourly_counts: { platform: 'name' },
    jobs: { ...WORK_QUEUE, platform: 'state name payload' },
    memberships: { platform: 'status' },
    operation_changes: { platform: 'record_key' },
    // Lists show no problems; one operation has at most 1,000, whose texts are cut.
    operations: {
      platform: 'kind status counts error state',
      cut: 'title problems',
      unlisted: 'params',
    },
    // An entry stores the result of one body; an answer has at most 64 MiB, counting 1,000 bytes per version.
    record_history: { platform: 'entity_type sort_key actor membership_id', chunked: 'data' },
    invitations: { platform: 'digest' },
    refresh_tokens: { platform: 'digest' },
    // The parts of a file are read one by one.
    report_exports: {
      schema: 'receiver_email report_type',
      unlisted: 'filters unit_ids',
      platform: 'status',
      cut: 'error',
    },
    report_parts: { platform: 'data' },
    stored_bytes: { platform: 'kind' },
    secret_keys: { platform: 'key_id check_value' },
    tenants: { schema: 'code name brand_settings time_zone', platform: 'status' },
    views: { schema: 'screen name query' },
    users: { schema: 'email name locale time_zone preferences', platform: 'password_hash' },
  };
}

function email(): Readonly<Record<string, Bounds>> {
  return {
    confirmation_mails: { schema: 'address_key' },
    email_event_deliveries: WORK_QUEUE,
    email_event_webhooks: { schema: 'name target secret events' },
    email_message_events: {
      platform: 'type machine_reason bounce_class',
      schema: 'url ip_address',
      cut: 'user_agent detail',
    },
    email_messages: {
      platform: 'state status suppressed_by bounce_class render_error',
      schema: 'recipient address name header_to tags',
      cut: 'last_error relay_answer bounce_reason',
      budget: 'metadata substitution_data',
    },
    email_outbox: { schema: 'envelope_from recipient header_from subject', unlisted: 'raw' },
    email_sending_counts: { schema: 'campaign_id' },
    email_campaign_reach: { schema: 'campaign_id' },
    // A sending stores at most a thousand links.
    email_sending_links: { schema: 'url' },
    email_settings: {
      schema: 'sender_identities whitelist_recipient_rules subscription_types subscriber_additional_fields',
    },
    email_suppressions: { schema: 'recipient type description left_types' },
    email_tags: { schema: 'tag' },
    email_template_snippets: { schema: 'name description', chunked: 'content' },
    email_template_versions: {
      schema: 'subject',
      chunked: 'html_content plain_content template_builder_content test_data data_fields_schema attachments',
    },
    email_templates: { schema: 'name from_email from_name reply_to description type' },
    mail_provider_hooks: { schema: 'provider signing_key' },
    // A tenant has at most a thousand domains.
    sending_domains: { schema: 'domain', platform: 'dkim_selector dkim_private_key dkim_public_key status' },
    suppression_imports: { cut: 'errors' },
    suppression_keys: { platform: 'key' },
    transmissions: {
      schema: 'description campaign_id return_path tags',
      budget: 'content options metadata substitution_data',
    },
  };
}

function marketing(): Readonly<Record<string, Bounds>> {
  return {
    audience_changes: WORK_QUEUE,
    audience_computations: { ...WORK_QUEUE, cut: 'last_error problems' },
    marketing_audiences: { schema: 'name description', chunked: 'filters' },
    marketing_campaigns: { schema: 'code name colour goal audience', chunked: 'start_date end_date' },
    marketing_email_sending_jobs: { platform: 'status', chunked: 'groups' },
    marketing_emails: {
      schema: 'campaign_code name description subject from_name cancel_reason status',
      chunked: 'from_email subscription_type_id list_ids audience_ids',
      unlisted: 'content',
    },
    marketing_events: { schema: 'type campaign_code url' },
    marketing_lists: { schema: 'name description' },
    subscriber_import_parts: { platform: 'content' },
    subscriber_imports: { schema: 'mode' },
    subscriber_signals: { ...WORK_QUEUE, platform: 'state kind cause', schema: 'key data' },
    subscriber_watches: { platform: 'kind', schema: 'key' },
    subscribers: {
      schema: 'first_name last_name email inactive_reason',
      platform: 'address_key',
      chunked: 'additional_fields_data',
    },
    subscription_preferences: { schema: 'subscription_type_id' },
  };
}

function content(): Readonly<Record<string, Bounds>> {
  return {
    assets: { schema: 'name folder alt tags mime_type', platform: 'sha256' },
    document_model_slices: { schema: 'project_id document_model_id slice_id' },
    document_models: { schema: 'project_id id label format', chunked: 'metadata', unlisted: 'json' },
    documents: { schema: 'project_id id document_model_id uid name status', chunked: 'data' },
    form_counts: { schema: 'form_code' },
    form_submissions: {
      schema: 'form_code form_name email_address address_key',
      platform: 'ip_address',
      cut: 'user_agent',
      chunked: 'form_data events',
    },
    form_themes: { schema: 'code name', chunked: 'formBuilderThemeOptions' },
    forms: {
      schema: 'code name form_type theme_code email_question',
      platform: 'public_code',
      chunked: 'allowed_origins formBuilderOptions post_submit_actions subscriber_mapping notify',
    },
    page_preview_snapshots: {
      schema: 'project_id document_id document_model_id uid snapshot',
      platform: 'digest',
    },
    page_project_remains: { schema: 'project_id', platform: 'actor' },
    page_projects: {
      schema: 'id name description template_id duplicated_from',
      chunked: 'redirect_config preview_config',
    },
    page_redirect_sets: { schema: 'project_id' },
    page_redirects: {
      schema: 'project_id source_domain rule_type source_url_path target_url redirect_type',
      platform: 'source_pattern target_pattern source_digest',
    },
    page_site_settings: { schema: 'project_id', chunked: 'settings' },
    page_synced_models: { schema: 'project_id entity_type id' },
    slice_model_slices: { schema: 'project_id slice_model_id slice_id' },
    slice_models: {
      schema: 'project_id id type name description kind origin status category tags keywords tag_values',
      chunked: 'media variations',
      platform: 'media_values',
    },
    used_challenges: { platform: 'seed' },
  };
}

function records(): Readonly<Record<string, Bounds>> {
  return {
    // A tenant has at most 500 entities with 8,000,000 characters in total.
    entities: { schema: 'name label owned_by fields workflow' },
    entity_change_deliveries: WORK_QUEUE,
    entity_changes: { schema: 'entity', platform: 'kind cause', budget: 'data' },
    entity_stagings: { schema: 'entity' },
    entity_webhooks: { schema: 'url events secret' },
    webhook_deliveries: { ...WORK_QUEUE, platform: 'state cause' },
    webhooks: {
      schema: 'name form_code url signing_secret',
      platform: 'last_attempt_status',
      chunked: 'headers test_data',
    },
  };
}

function flows(): Readonly<Record<string, Bounds>> {
  return {
    automation_hooks: { schema: 'path', platform: 'method' },
    automation_runs: {
      platform: 'state trigger_type source_key chain',
      cut: 'last_error failure',
      chunked: 'actions',
      budget: 'trigger',
    },
    automation_schedules: { ...WORK_QUEUE, schema: 'expression timezone' },
    automation_versions: { schema: 'definition' },
    automations: {
      schema: 'key name app module entity_key trigger_type trigger_params',
      chunked: 'actions conditional_actions on_failure',
    },
    journey_sendings: { schema: 'step', platform: 'fingerprint' },
    journey_states: {
      platform: 'state lane status current_step mails hears heard waits_for cause',
      cut: 'last_error error trigger',
      chunked: 'history',
    },
    journey_versions: { unlisted: 'steps' },
    journeys: { schema: 'name re_entry uses', chunked: 'trigger steps' },
    queue_handlers: { schema: 'queue' },
    queue_messages: { schema: 'queue', platform: 'chain', budget: 'body' },
    queue_outbox: { ...WORK_QUEUE, platform: 'state chain', schema: 'queue', budget: 'body' },
  };
}

function assistants(): Readonly<Record<string, Bounds>> {
  return {
    ai_assistants: { schema: 'name description', unlisted: 'llm_configuration knowledge' },
    ai_conversations: { schema: 'key', unlisted: 'context' },
    ai_index_items: {
      schema: 'id',
      platform: 'model embedding',
      cut: 'embedding_error',
      chunked: 'input metadata',
    },
    ai_indexes: {
      ...{ schema: 'name contents_description metadata_definition', platform: 'model' },
      cut: 'embedding_error',
    },
    ai_thread_messages: { schema: 'role', chunked: 'content metadata tool_use_ids' },
    ai_threads: { schema: 'user_id', cut: 'name' },
    ai_usage: { schema: 'model' },
  };
}
