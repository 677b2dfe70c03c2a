/** Generated from openapi.json by `npm run sdk`. */

export interface ActionType {
  key: string;
  name: string;
  description: string;
  /** The JSON Schema of its parameters. */
  params: unknown;
}

export interface ActionTypeList {
  results: ActionType[];
}

export interface Activation {
  /** Send it as header `X-Business-Unit`. */
  token: string;
  bu_id: string;
  expires_at: string;
}

/** The author of a version; null if it was not stored. */
export interface Actor {
  kind: "member" | "operator" | "platform" | "visitor" | "subscriber" | "conversation" | "automation";
  /** Of a member. */
  membership_id?: string | undefined;
  /** Of a member. */
  user_id?: string | undefined;
  /** The form that a visitor filled in. */
  form_code?: string | undefined;
  /** The subscriber, who used a link of a message. */
  subscriber_id?: string | undefined;
  /** The conversation of a page. */
  conversation_id?: string | undefined;
  /** Of an automation. */
  key?: string | undefined;
  /** The run of an automation. */
  run_id?: string | undefined;
  /** The runs that led to this one. */
  chain?: string[] | undefined;
  /** How many runs deep that chain is. */
  depth?: number | undefined;
}

export interface AdditionalField {
  label: string;
  /** For example `text`. */
  type: string;
  order: number;
  group?: string | undefined;
  field_width_percent?: number | undefined;
}

/** Values by name: strings, numbers or booleans. */
export type AdditionalFieldValues = Record<string, string | number | boolean>;

export interface AiBudget {
  monthly_token_budget: TokenBudget | null;
}

export interface AiBudgetPatch {
  monthly_token_budget?: TokenBudget | null | undefined;
}

export interface AiBudgetState {
  monthly_token_budget: TokenBudget | null;
  /** Input and output tokens of this month (UTC). */
  used_tokens: number;
}

export interface AiIndexWriteReply {
  success: boolean;
  /** Absent when all items were written. */
  skipped?: SkippedIndexItem[] | undefined;
}

export interface AiUsage {
  results: AiUsageEntry[];
  input_tokens: number;
  output_tokens: number;
}

export interface AiUsageEntry {
  assistant_id: string;
  model: string;
  requests: number;
  input_tokens: number;
  output_tokens: number;
}

export interface ApiKey {
  id: string;
  name: string;
  /** How the key begins. */
  prefix: string;
  membership_id: string;
  created_at: string;
  /** Exact to a minute. */
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface ApiKeyCreate {
  name: string;
  /** The caller's own membership when absent. */
  membership_id?: string | undefined;
}

export interface ApiKeyCreated {
  id: string;
  api_key: string;
}

export interface ApiKeyPage {
  results: ApiKey[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface Asset {
  id: string;
  /** Without control characters. */
  name: string;
  /** `/`, or names with `/` before each. */
  folder: string;
  alt: string | null;
  tags: string[];
  mime_type: string;
  /** Octets. */
  size: number;
  /** Of a picture, as it is shown. */
  width: number | null;
  height: number | null;
  /** Of the bytes, in hex. */
  sha256: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** The public address. */
  url: string;
}

export interface AssetListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters?: Filters | undefined;
}

export interface AssetPage {
  results: Asset[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface AssetReplace {
  /** Without control characters. */
  name?: string | undefined;
  /** `/`, or names with `/` before each. */
  folder?: string | undefined;
  alt?: string | null | undefined;
  tags?: string[] | undefined;
  version?: LastReadVersion | undefined;
}

export interface AssetReply {
  id: string;
  /** The public address. */
  url: string;
}

export interface AssetUpload {
  file: Blob;
  /** Without control characters. */
  name?: string | undefined;
  /** `/`, or names with `/` before each. */
  folder?: string | undefined;
  alt?: string | undefined;
  tags?: string[] | undefined;
}

export interface Assistant {
  id: string;
  name: string;
  description: string;
  /** As it was written. */
  llmConfiguration: unknown;
  /** As it was written. */
  knowledge: unknown;
  monthly_token_budget: TokenBudget | null;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface AssistantCreate {
  name: string;
  description: string;
  llmConfiguration: ModelSettings;
  /** What is looked up before each answer. */
  knowledge?: AssistantKnowledge[] | undefined;
  monthly_token_budget?: TokenBudget | null | undefined;
  business_unit?: OwningUnit | undefined;
}

export interface AssistantKnowledge {
  /** The name of a vector index. */
  index: string;
  /** How many texts are taken of it; 5 unless said. */
  top_k?: number | undefined;
  /** As in queries of the index. */
  filter?: Record<string, unknown> | undefined;
}

export interface AssistantPatch {
  name?: string | undefined;
  description?: string | undefined;
  llmConfiguration?: ModelSettings | undefined;
  /** What is looked up before each answer. */
  knowledge?: AssistantKnowledge[] | undefined;
  monthly_token_budget?: TokenBudget | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface AssistantReplace {
  name: string;
  description: string;
  llmConfiguration: ModelSettings;
  /** What is looked up before each answer. */
  knowledge?: AssistantKnowledge[] | undefined;
  monthly_token_budget?: TokenBudget | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface AssistantSummary {
  id: string;
  name: string;
  description: string;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface AssistantSummaryPage {
  results: AssistantSummary[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface AssistantTool {
  /** Unique within the assistant. */
  name: string;
  description: string;
  input_schema: ToolInputSchema;
}

export interface Audience {
  id: string;
  name: string;
  description: string | null;
  /** Subscribers in it, active or not. */
  subscriber_count: number;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** As it was written. */
  filters?: unknown | undefined;
  computation?: AudienceComputation | undefined;
}

/** How far the members are computed; only with `filters`. */
export interface AudienceComputation {
  /** `computing` until everybody was looked at once. */
  state: "computing" | "current" | "failed";
  /** Conditions that cannot be met any more, as a field was redefined: nobody meets them. */
  problems: AudienceProblem[];
}

export interface AudienceCreate {
  name: string;
  description?: string | null | undefined;
  filters?: Record<string, unknown> | null | undefined;
  business_unit?: OwningUnit | undefined;
}

export interface AudienceListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters?: Filters | undefined;
}

export interface AudiencePage {
  results: Audience[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface AudiencePatch {
  name?: string | undefined;
  description?: string | null | undefined;
  filters?: Record<string, unknown> | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface AudienceProblem {
  field: string;
  message: string;
}

export interface AudienceReplace {
  name: string;
  description?: string | null | undefined;
  filters?: Record<string, unknown> | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface AudienceTrigger {
  type: "audience_entered";
  audience_id: string;
}

export interface AuthorizedUnits {
  business_units: BusinessUnit[];
  is_tenant_admin: boolean;
  default_business_unit_id: string;
}

export interface Automation {
  key: string;
  name: string;
  app: string;
  module: string | null;
  entityKey: string | null;
  triggerType: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  /** As it was written. */
  triggerParams: unknown;
  actions: AutomationAction[];
  conditionalActions: ConditionalActions[];
  /** Done once when a run has finally failed. Expressions also read `run.id`, `run.error` and `failed.action`. */
  on_failure: AutomationAction[];
  /** Whether its trigger sets it off. */
  active: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface AutomationAction {
  key: string;
  name: string;
  /** One of `GET /api/automations/action-types`. */
  actionTypeKey: string;
  /** Texts may hold expressions: `{{trigger.entity.id}}`, `{{trigger.entity.customer.email}}` through a relation, `{{actions.<key>...}}`. */
  params?: Record<string, unknown> | undefined;
}

export interface AutomationActionResult {
  key: string;
  /** Skipped: the condition of its group did not hold. */
  status: "succeeded" | "failed" | "skipped";
  error: string | null;
  /** What later actions read by `{{actions.<key>.<path>}}`. */
  result: unknown;
  /** True: one of the actions of `on_failure`; else absent. */
  on_failure?: boolean | undefined;
  /** Its parameters, with the expressions filled in; null beyond 4,194,304 characters of JSON in one answer. */
  input: unknown;
}

export interface AutomationCondition {
  /** Each is `{field, operator, value}`, or a condition again. */
  rules: unknown[];
  combinator: "and" | "or";
}

export interface AutomationCreate {
  key: string;
  name: string;
  app: string;
  module?: string | null | undefined;
  entityKey?: string | null | undefined;
  triggerType: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  /** cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; else empty. */
  triggerParams: Record<string, unknown>;
  actions?: AutomationAction[] | undefined;
  conditionalActions?: ConditionalActions[] | undefined;
  /** Done once when a run has finally failed. Expressions also read `run.id`, `run.error` and `failed.action`. */
  on_failure?: AutomationAction[] | undefined;
  /** Whether its trigger sets it off. */
  active?: boolean | undefined;
}

export interface AutomationKey {
  key: string;
}

export interface AutomationListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters?: Filters | undefined;
}

export interface AutomationPage {
  results: Automation[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface AutomationPatch {
  name?: string | undefined;
  app?: string | undefined;
  module?: string | null | undefined;
  entityKey?: string | null | undefined;
  triggerType?: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler" | undefined;
  /** cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; else empty. */
  triggerParams?: Record<string, unknown> | undefined;
  actions?: AutomationAction[] | undefined;
  conditionalActions?: ConditionalActions[] | undefined;
  /** Done once when a run has finally failed. Expressions also read `run.id`, `run.error` and `failed.action`. */
  on_failure?: AutomationAction[] | undefined;
  /** Whether its trigger sets it off. */
  active?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface AutomationReplace {
  name: string;
  app: string;
  module?: string | null | undefined;
  entityKey?: string | null | undefined;
  triggerType: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  /** cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; else empty. */
  triggerParams: Record<string, unknown>;
  actions?: AutomationAction[] | undefined;
  conditionalActions?: ConditionalActions[] | undefined;
  /** Done once when a run has finally failed. Expressions also read `run.id`, `run.error` and `failed.action`. */
  on_failure?: AutomationAction[] | undefined;
  /** Whether its trigger sets it off. */
  active?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface AutomationRun {
  run_id: string;
  status: "queued" | "running" | "succeeded" | "failed" | "skipped";
  trigger_type: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  started_at: string | null;
  finished_at: string | null;
  error: string | null;
  /** As it was written. */
  actions: unknown;
  created_at: string;
  automation_key: string | null;
  /** The version of the automation with which it began. */
  automation_version: number;
  /** Tries that have ended. */
  attempts: number;
}

export interface AutomationRunId {
  run_id: string;
}

export interface AutomationRunListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  filters?: Filters | undefined;
}

export interface AutomationRunPage {
  results: AutomationRun[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface AutomationRunStory {
  run_id: string;
  status: "queued" | "running" | "succeeded" | "failed" | "skipped";
  trigger_type: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  started_at: string | null;
  finished_at: string | null;
  error: string | null;
  actions: AutomationActionResult[];
  created_at: string;
  automation_key: string | null;
  /** The version of the automation with which it began. */
  automation_version: number;
  /** Tries that have ended. */
  attempts: number;
  /** What set it off, as expressions read it; null when the run has ended and this is not kept any more. */
  trigger: unknown;
  /** Bytes of `trigger` as it came; 0 when unknown. */
  input_bytes: number;
  /** What led to this run, the first one first: keys of automations, `webhook <id>`, `journey <id>`. */
  chain: string[];
}

export interface AutomationTest {
  status: "succeeded" | "failed";
  error: string | null;
  actions: AutomationActionResult[];
}

export interface AutomationTrigger {
  /** What expressions read as `trigger`, such as `{"entity": {"id": …}}`. Default: nothing. */
  trigger?: Record<string, unknown> | undefined;
}

export interface AutomationWithFigures {
  key: string;
  name: string;
  app: string;
  module: string | null;
  entityKey: string | null;
  triggerType: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  /** As it was written. */
  triggerParams: unknown;
  actions: AutomationAction[];
  conditionalActions: ConditionalActions[];
  /** Done once when a run has finally failed. Expressions also read `run.id`, `run.error` and `failed.action`. */
  on_failure: AutomationAction[];
  /** Whether its trigger sets it off. */
  active: boolean;
  version: number;
  created_at: string;
  updated_at: string;
  /** Of a hook: where it is called, with the token that authorises. Shown to owners alone. */
  webhook_url?: string | undefined;
}

export interface AvailableSubscriptionType {
  id: string;
  name: string;
  description: string;
}

export interface BranchStep {
  /** Names the step; unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "branch";
  /** As the list of subscribers takes them, and `engagement`, `any` and `none` as audiences do; at most 100 conditions. */
  filters: Record<string, unknown>;
  /** The key of a step. */
  then?: string | undefined;
  /** The key of a step. */
  else?: string | undefined;
}

export interface BrandSettings {
  logo_url: string;
  primary_color: string;
  /** Language tag for recipients whose own language is not known. Default: English. */
  locale?: string | undefined;
}

export interface BrandSettingsChange {
  logo_url?: string | undefined;
  primary_color?: string | undefined;
  /** Language tag for recipients whose own language is not known. Default: English. */
  locale?: string | undefined;
}

export interface BusinessUnit {
  bu_id: string;
  name: string;
  slug: string;
  is_default: boolean;
}

export interface Campaign {
  id: string;
  /** Its name in paths and in links (`utm_campaign`). */
  code: string;
  name: string;
  /** `#0f766e`, in calendars. */
  colour: string;
  business_unit: string;
  /** An ISO 8601 date or time, kept as it is written. */
  start_date: string;
  end_date: string | null;
  goal: string | null;
  /** Whom it speaks to, in words. */
  audience: string;
  /** Of an audience whose id `audience` is, else the same words. */
  audience_name: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface CampaignCreate {
  /** Its name in paths and in links (`utm_campaign`). */
  code: string;
  name: string;
  /** `#0f766e`, in calendars. */
  colour: string;
  /** An ISO 8601 date or time, kept as it is written. */
  start_date: string;
  end_date?: string | null | undefined;
  goal?: string | null | undefined;
  /** Whom it speaks to, in words. */
  audience: string;
  business_unit?: OwningUnit | undefined;
}

export interface CampaignCreated {
  code: string;
  id: string;
  created_at: string;
}

export interface CampaignDeleted {
  code: string;
  deleted: boolean;
}

export interface CampaignEmailClone {
  target_campaign_code: string;
}

export interface CampaignEmailCloned {
  id: string;
  campaign_code: string;
  name: string;
  status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  created_at: string;
}

export interface CampaignEmailContent {
  html?: string | null | undefined;
  text?: string | null | undefined;
  template_id?: string | null | undefined;
}

export interface CampaignEmailCreate {
  name: string;
  description?: string | null | undefined;
  /** Wins over its template’s. */
  subject: string;
  target_subscribers_count?: number | null | undefined;
  status?: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled" | undefined;
  sent_date?: string | null | undefined;
  content?: CampaignEmailContent | null | undefined;
  from_email?: string | null | undefined;
  from_name?: string | null | undefined;
  list_ids?: string[] | undefined;
  audience_ids?: string[] | undefined;
  subscription_type_id?: string | null | undefined;
}

export interface CampaignEmailCreated {
  id: string;
  campaign_code: string;
  created_at: string;
}

export interface CampaignEmailListItem {
  id: string;
  campaign_code: string;
  name: string;
  description: string | null;
  /** Wins over its template’s. */
  subject: string;
  target_subscribers_count: number | null;
  status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  /** When it is to be sent, or was: an ISO 8601 date or time. */
  sent_date: string | null;
  /** On a verified domain; the template’s unless given. */
  from_email: string | null;
  from_name: string | null;
  list_ids: string[];
  audience_ids: string[];
  subscription_type_id: string | null;
  /** Why it was cancelled. */
  cancel_reason: string | null;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  metrics: CampaignEmailMetrics;
}

export interface CampaignEmailListItemPage {
  results: CampaignEmailListItem[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface CampaignEmailMetrics {
  delivered: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
  bounced: number;
  /** Messages that could not be made. */
  failed: number;
  /** Of a single read. */
  open_rate?: number | undefined;
  /** Of a single read. */
  click_rate?: number | undefined;
  /** Of a single read. */
  unsubscribe_rate?: number | undefined;
}

export interface CampaignEmailPatch {
  name?: string | undefined;
  description?: string | null | undefined;
  /** Wins over its template’s. */
  subject?: string | undefined;
  target_subscribers_count?: number | null | undefined;
  status?: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled" | undefined;
  sent_date?: string | null | undefined;
  content?: CampaignEmailContent | null | undefined;
  from_email?: string | null | undefined;
  from_name?: string | null | undefined;
  list_ids?: string[] | undefined;
  audience_ids?: string[] | undefined;
  subscription_type_id?: string | null | undefined;
  version?: LastReadVersion | undefined;
}

export interface CampaignEmailPreview {
  html_content: string;
}

export interface CampaignEmailProcessed {
  id: string;
  status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  job_id: string;
  estimated_completion: string;
}

export interface CampaignEmailReplace {
  name: string;
  description?: string | null | undefined;
  /** Wins over its template’s. */
  subject: string;
  target_subscribers_count?: number | null | undefined;
  status?: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled" | undefined;
  sent_date?: string | null | undefined;
  content?: CampaignEmailContent | null | undefined;
  from_email?: string | null | undefined;
  from_name?: string | null | undefined;
  list_ids?: string[] | undefined;
  audience_ids?: string[] | undefined;
  subscription_type_id?: string | null | undefined;
  version?: LastReadVersion | undefined;
}

export interface CampaignEmailRetried {
  id: string;
  /** Messages that are tried again. */
  recipients: number;
}

export interface CampaignEmailStatusChange {
  id: string;
  status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  previous_status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  updated_at: string;
}

export interface CampaignEmailTest {
  /** Addresses. */
  to: string[];
}

export interface CampaignEmailTested {
  transactionId: string;
  problems: PreflightEntry[];
  warnings: PreflightEntry[];
}

export interface CampaignEmailUpdated {
  id: string;
  updated_at: string;
}

export interface CampaignEmailWithMetrics {
  id: string;
  campaign_code: string;
  name: string;
  description: string | null;
  /** Wins over its template’s. */
  subject: string;
  target_subscribers_count: number | null;
  status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  /** When it is to be sent, or was: an ISO 8601 date or time. */
  sent_date: string | null;
  content: CampaignEmailContent;
  /** On a verified domain; the template’s unless given. */
  from_email: string | null;
  from_name: string | null;
  list_ids: string[];
  audience_ids: string[];
  subscription_type_id: string | null;
  /** Why it was cancelled. */
  cancel_reason: string | null;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  metrics: CampaignEmailMetrics;
  sending_problem: string | null;
}

export interface CampaignEngagement {
  subscriber_id: string;
  campaign_code: string;
  marketing_email_id: string;
  email_sent_at: string | null;
  email_delivered_at: string | null;
  delivery_status: "pending" | "suppressed" | "failed" | "delivered" | "bounced" | "complained";
  email_opened_at: string | null;
  email_clicked_at: string | null;
  email_unsubscribed_at: string | null;
  first_page_view_at: string | null;
  last_page_view_at: string | null;
  page_view_count: number;
  total_engagement_time_seconds: number;
  first_purchase_at: string | null;
  last_purchase_at: string | null;
  purchase_count: number;
}

export interface CampaignEngagementFilters {
  subscriberId?: string | undefined;
  marketingEmailId?: string | undefined;
  hasClickedLinks?: boolean | undefined;
}

export interface CampaignEngagementPage {
  results: CampaignEngagement[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface CampaignEngagementQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  filters?: CampaignEngagementFilters | undefined;
}

export interface CampaignList {
  results: Campaign[];
  metadata: CampaignListMetadata;
}

export interface CampaignListMetadata {
  page: number;
  limit: number;
  /** Absent with `count: false`. */
  total?: number | undefined;
  /** Absent with `count: false`. */
  total_pages?: number | undefined;
  next?: NextCursor | undefined;
}

export interface CampaignMetrics {
  /** Messages handed over. */
  total_emails_sent: number;
  /** People with a delivered message. */
  total_subscribers_reached: number;
  /** 0 to 1. */
  average_open_rate: number;
  /** 0 to 1. */
  average_click_rate: number;
  /** People with a purchase. */
  total_conversions: number;
  /** The sum of their amounts. */
  revenue_generated: number;
}

export interface CampaignPatch {
  name?: string | undefined;
  /** `#0f766e`, in calendars. */
  colour?: string | undefined;
  /** An ISO 8601 date or time, kept as it is written. */
  start_date?: string | undefined;
  end_date?: string | null | undefined;
  goal?: string | null | undefined;
  /** Whom it speaks to, in words. */
  audience?: string | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface CampaignQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  /** By field (name, business_unit, start_date, end_date, audience), ANDed: `{equals|ne|like|gt|gte|lt|lte|in|nin|between: value, ...}`, or `{operation, value}`. */
  filters?: Record<string, unknown> | undefined;
}

export interface CampaignReplace {
  name: string;
  /** `#0f766e`, in calendars. */
  colour: string;
  /** An ISO 8601 date or time, kept as it is written. */
  start_date: string;
  end_date?: string | null | undefined;
  goal?: string | null | undefined;
  /** Whom it speaks to, in words. */
  audience: string;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface CampaignUpdated {
  code: string;
  updated_at: string;
}

export interface CampaignWithMetrics {
  id: string;
  /** Its name in paths and in links (`utm_campaign`). */
  code: string;
  name: string;
  /** `#0f766e`, in calendars. */
  colour: string;
  business_unit: string;
  /** An ISO 8601 date or time, kept as it is written. */
  start_date: string;
  end_date: string | null;
  goal: string | null;
  /** Whom it speaks to, in words. */
  audience: string;
  /** Of an audience whose id `audience` is, else the same words. */
  audience_name: string;
  version: number;
  created_at: string;
  updated_at: string;
  metrics: CampaignMetrics;
}

export interface Challenge {
  /** Goes back as it is. */
  token: string;
  seed: string;
  /** With so many zero bits begins the SHA-256 of `<seed>.<number>`, for a decimal number to be found. */
  bits: number;
  expires_at: string;
}

export interface ClickedLink {
  url: string;
  clicks: number;
  unique_clicks: number;
  first_click: string;
  last_click: string;
  click_rate: number;
}

export interface ClickedLinks {
  links: ClickedLink[];
  total_clicks: number;
  /** People. */
  total_unique_clicks: number;
}

export interface CodeReply {
  code: string;
}

export interface CodeReplyWithWarnings {
  code: string;
  /** What was accepted and yet deserves a word; absent when there is nothing. */
  warnings?: Warning[] | undefined;
}

export interface ConditionalActions {
  condition: AutomationCondition;
  actions: AutomationAction[];
}

export interface ConversationImageBlock {
  type: "image";
  source: ConversationImageSource;
}

export interface ConversationImageSource {
  type: "base64";
  /** Such as image/png. */
  media_type: string;
  /** The picture in base64, of 5 MiB at most. */
  data: string;
}

export interface ConversationMessage {
  role: "user";
  /** At most 20,000 characters of text, and 5 images of 5 MiB together. */
  content: (ConversationTextBlock | ConversationImageBlock)[];
}

export interface ConversationMessageCreate {
  message: string | ConversationMessage;
}

export interface ConversationReply {
  thread_id: string;
  message: Message;
}

export interface ConversationTextBlock {
  type: "text";
  text: string;
}

export interface ConversationToken {
  /** Secret: whoever holds it talks. */
  token: string;
}

export interface DeletedItem {
  entity_type: EntityTypeName;
  key: string;
  title: string;
  deleted_at: string;
  actor: Actor | null;
}

export interface DeletedItemPage {
  results: DeletedItem[];
  /** Items that match, on all pages. */
  total: number;
  totalPages: number;
}

export interface DeletedListQuery {
  page: PageNumber;
  limit: PageLimit;
  search?: SearchText | undefined;
  filters?: Filters | undefined;
}

export interface DeletedRecord {
  /** `<tenant_code>#<entity_type>#DELETED`, or `#UPDATED` for a version. */
  pk: string;
  /** `<entity_sort_key>`, followed by `#VERSION-<n>` for a version. */
  sk: string;
  entity: unknown;
  timestamp: string;
}

export type DeletedRecordList = DeletedRecord[];

export interface DnsRecord {
  type: "TXT" | "CNAME" | "MX";
  /** Fully qualified, without a dot at the end. */
  name: string;
  /** A TXT value over 255 characters is published in several strings. */
  value: string;
  purpose: string;
}

export interface Document {
  /** Chosen by the caller, in the path. */
  id: string;
  /** By which websites ask for it; unique among the documents of its model. */
  uid: string;
  /** What people call it. */
  name: string;
  /** A document model of the project. */
  document_model_id: string;
  status: "draft" | "live" | "archived";
  /** JSON as a string. Nobody looks into it: it is kept and answered as it was written. */
  data: string;
  /** The person, where a person wrote it. */
  created_by_id: string | null;
  /** The person, where a person wrote it. */
  updated_by_id: string | null;
  project_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface DocumentListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters?: Filters | undefined;
}

export interface DocumentModel {
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`, unique within the project. */
  id: string;
  /** What people call it. */
  label: string;
  format: "page" | "custom";
  /** Whether several documents may exist. */
  repeatable: boolean;
  /** True: active; false: disabled. */
  status: boolean;
  metadata: DocumentModelMetadata;
  /** As it was written. */
  json: unknown;
  project_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface DocumentModelMetadata {
  /** Whether links may lead to its documents. Absent: they may. */
  linkable?: boolean | undefined;
}

export interface DocumentModelPatch {
  /** What people call it. */
  label?: string | undefined;
  format?: "page" | "custom" | undefined;
  /** Whether several documents may exist. */
  repeatable?: boolean | undefined;
  /** True: active; false: disabled. */
  status?: boolean | undefined;
  metadata?: DocumentModelMetadata | undefined;
  /** A field-definition map: by group, commonly `Main`, then by field, each `{type, config}`. Kept as it was written; at most 1 MiB. */
  json?: Record<string, Record<string, unknown>> | undefined;
  version?: LastReadVersion | undefined;
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`, unique within the project. */
  id: string;
}

export interface DocumentModelPut {
  /** What people call it. */
  label: string;
  format: "page" | "custom";
  /** Whether several documents may exist. */
  repeatable: boolean;
  /** True: active; false: disabled. */
  status: boolean;
  metadata?: DocumentModelMetadata | undefined;
  /** A field-definition map: by group, commonly `Main`, then by field, each `{type, config}`. Kept as it was written; at most 1 MiB. */
  json: Record<string, Record<string, unknown>>;
  version?: LastReadVersion | undefined;
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`, unique within the project. */
  id: string;
}

export interface DocumentModelSummary {
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`, unique within the project. */
  id: string;
  /** What people call it. */
  label: string;
  format: "page" | "custom";
  /** Whether several documents may exist. */
  repeatable: boolean;
  /** True: active; false: disabled. */
  status: boolean;
  metadata: DocumentModelMetadata;
  project_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface DocumentModelSummaryPage {
  results: DocumentModelSummary[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface DocumentPage {
  results: Document[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface DocumentPatch {
  /** By which websites ask for it; unique among the documents of its model. */
  uid?: string | undefined;
  /** What people call it. */
  name?: string | undefined;
  /** A document model of the project. */
  document_model_id?: string | undefined;
  status?: "draft" | "live" | "archived" | undefined;
  /** JSON as a string. Nobody looks into it: it is kept and answered as it was written. */
  data?: string | undefined;
  version?: LastReadVersion | undefined;
}

export interface DocumentReplace {
  /** By which websites ask for it; unique among the documents of its model. */
  uid: string;
  /** What people call it. */
  name: string;
  /** A document model of the project. */
  document_model_id: string;
  status: "draft" | "live" | "archived";
  /** JSON as a string. Nobody looks into it: it is kept and answered as it was written. */
  data: string;
  version?: LastReadVersion | undefined;
}

export interface DocumentSearch {
  search: SearchText;
  /** Only documents of these models. Absent or empty: of all. */
  document_model_ids?: string[] | undefined;
  /** Default: 20. */
  limit?: number | undefined;
}

export interface DomainCreate {
  /** Domain name; an international one in either form. */
  domain: string;
}

export interface DomainReply {
  domain: string;
}

export interface DomainStatus {
  /** The DKIM record holds the key that mail is signed with. `pending` until it was found. */
  dkim_status: "pending" | "valid" | "invalid";
  /** The one SPF record names this installation. `pending` until it was found. */
  spf_status: "pending" | "valid" | "invalid";
  /** The bounce name leads here. `pending` until it was found. */
  cname_status: "pending" | "valid" | "invalid";
  /** The domain receives mail. `pending` until it was found. */
  mx_status: "pending" | "valid" | "invalid";
  /** The domain, or the one it belongs to, has a DMARC policy. `pending` until it was found. */
  dmarc_status: "pending" | "valid" | "invalid";
  /** DKIM, SPF and DMARC together, which large mailbox providers ask for. `pending` until it was found. */
  compliance_status: "pending" | "valid" | "invalid";
  /** Mail to abuse@ reaches somebody; only an operator can tell. `pending` until it was found. */
  abuse_at_status: "pending" | "valid" | "invalid";
  /** Mail to postmaster@ reaches somebody; only an operator can tell. `pending` until it was found. */
  postmaster_at_status: "pending" | "valid" | "invalid";
  /** A mailbox of the domain answers; only an operator can tell. `pending` until it was found. */
  verification_mailbox_status: "pending" | "valid" | "invalid";
  /** Whether the domain may send: its DKIM record is valid, or an operator vouches for it. */
  ownership_verified: boolean;
}

export interface DomainVouch {
  domain: string;
  /** Whether the operator vouches for the domain; false takes it back and all checks starts again. */
  verified: boolean;
}

export interface EmailMetrics {
  delivered: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
  bounced: number;
  open_rate: number;
  click_rate: number;
  unsubscribe_rate: number;
  bounce_rate: number;
}

export interface EmailRecipientStory {
  recipient: string;
  /** The first 100. */
  messages: StoryMessage[];
  /** Why a subscriber with this address has no message. */
  not_addressed?: "not_sent" | "not_in_groups" | "inactive" | "unsubscribed" | "came_later" | undefined;
}

export interface EmbedSubmission {
  /** An e-mail address. */
  email_address: string;
  /** Answers by question. */
  form_data: Record<string, unknown>;
  /** The visitor's IANA time zone. */
  time_zone?: string | undefined;
  /** Stays empty: people do not see it. */
  website?: string | undefined;
}

export interface EmbedSubmitted {
  submission_id: string;
  actions: PostSubmitAction[];
}

export interface EngageBody {
  /** Names who talks, or about what: the threads that it opens have it as their user_id. */
  key: string;
  /** Any JSON, which is told to the model with each message. Of an object, `assistant_id` names the assistant (without it: the only one called `key`, else the only one that there is) and `thread_id` the thread that is continued. */
  payload: unknown;
}

export interface EngagementCampaign {
  send_date: string | null;
  subscription_type: string | null;
  subject_line: string;
}

export interface Entity {
  /** What it is called, in paths too; cannot change. */
  name: string;
  /** For people. */
  label: string | null;
  /** Whose records they are: `tenant` unless given; cannot change. */
  owned_by: "tenant" | "business_unit";
  /** In the order in which records show them. */
  fields: EntityField[];
  workflow: Workflow | null;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface EntityCreate {
  /** What it is called, in paths too; cannot change. */
  name: string;
  label?: string | null | undefined;
  /** Whose records they are: `tenant` unless given; cannot change. */
  owned_by?: "tenant" | "business_unit" | undefined;
  /** In the order in which records show them. */
  fields: EntityField[];
  workflow?: Workflow | null | undefined;
}

export interface EntityError {
  error: "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "rate_limited" | "internal_error" | "service_unavailable";
  message: string;
  /** Of a 401, and `TENANT_SUSPENDED` of a 403. */
  code?: string | undefined;
  /** Of a 400, and of a 409 that is about fields: each fault. Of a 422: each broken rule. */
  errors?: EntityErrorIssue[] | string[] | undefined;
  /** Of a 429 and a 503: seconds to wait. */
  retry_after?: number | undefined;
  /** On unexpected errors: names the request in the log. */
  request_id?: string | undefined;
}

export interface EntityErrorIssue {
  field: string;
  message: string;
}

export interface EntityField {
  /** What it is called; a new name is a new field. */
  name: string;
  /** What it holds. */
  type: "string" | "text" | "integer" | "number" | "boolean" | "date" | "datetime" | "json" | "uuid" | "enum" | "relation";
  /** For people. */
  label?: string | undefined;
  /** Every record has a value. */
  required?: boolean | undefined;
  /** No two records have the same value. */
  unique?: boolean | undefined;
  /** Filters by it are quick. */
  indexed?: boolean | undefined;
  /** `search` looks in it. */
  searchable?: boolean | undefined;
  /** What a record has that is made without a value. */
  default?: unknown | undefined;
  /** Of type `enum`: the choices. */
  enum?: string[] | undefined;
  /** The least value; of a text the least length. */
  min?: number | undefined;
  /** The greatest value; of a text the greatest length. */
  max?: number | undefined;
  /** A regular expression that texts match (RE2). */
  pattern?: string | undefined;
  relation?: EntityRelation | undefined;
}

export interface EntityList {
  results: Entity[];
}

export interface EntityPatch {
  label?: string | null | undefined;
  /** In the order in which records show them. */
  fields?: EntityField[] | undefined;
  workflow?: Workflow | null | undefined;
  version?: LastReadVersion | undefined;
  /** Fields by name, and `workflow`, that may be removed with their values. */
  drop?: string[] | undefined;
}

/** `id`, the fields of the entity, `_created_at`, `_updated_at`, `_created_by` and `_updated_by`. The tenant's own document (`GET /api/openapi.json`) has them in full. */
export type EntityRecord = unknown;

export interface EntityRecordPage {
  data: EntityRecord[];
  pagination: Pagination;
}

/** The fields of the entity. Others, and those of every record, are ignored. */
export type EntityRecordValues = Record<string, unknown>;

export interface EntityRelation {
  /** The entity that records refer to. */
  entity: string;
  /** `belongs_to` refers to one record and is stored as `<name>_id`; `has_many` is the way back. */
  kind: "belongs_to" | "has_many";
  /** Of `has_many`: the field of the other entity that refers to this one's records. */
  field?: string | undefined;
}

export interface EntityReplace {
  label?: string | null | undefined;
  /** In the order in which records show them. */
  fields: EntityField[];
  workflow?: Workflow | null | undefined;
  version?: LastReadVersion | undefined;
  /** Fields by name, and `workflow`, that may be removed with their values. */
  drop?: string[] | undefined;
}

/** The id, code or key in the record's own path; `<project_id>#<id>` for what lives inside a project, or the plain id if only one project has or had it. */
export type EntitySortKey = string;

/** The kind of record. */
export type EntityTypeName = "ai_assistant" | "ai_thread" | "ai_vector_index" | "business_unit" | "tenant_membership" | "business_unit_grant" | "email_settings" | "email_template" | "email_template_snippet" | "form" | "form_theme" | "form_submission" | "marketing_audience" | "marketing_list" | "marketing_campaign" | "marketing_email" | "marketing_email_sending_job" | "marketing_subscriber" | "pages_document_model" | "pages_slice_model" | "pages_document" | "pages_project_metadata" | "pages_url_redirect" | "pages_site_settings" | "user_journey" | "user_journey_state" | "webhook" | "entity" | "automation";

export interface EntityWebhook {
  id: string;
  url: string;
  events: string[];
}

export interface EntityWebhookCreate {
  /** Where deliveries are posted: http or https. */
  url: string;
  /** Names of events: `<entity>.created`, `<entity>.updated`, `<entity>.deleted`. */
  events: string[];
  secret?: WebhookSecret | undefined;
  signing_secret?: SigningSecret | undefined;
}

export interface EntityWebhookDeleted {
  success: true;
  message: string;
}

export interface EntityWebhookList {
  data: EntityWebhook[];
}

export interface Error {
  message: string;
  code: string;
  /** Only of a 401. */
  error?: string | undefined;
  issues?: ErrorIssue[] | undefined;
  /** On unexpected errors: names the request in the log. */
  request_id?: string | undefined;
}

export interface ErrorIssue {
  field?: string | undefined;
  message: string;
  /** Of a conflict: the record that is in the way. */
  id?: string | undefined;
}

export interface EventTrigger {
  type: "event";
  event_type: "open" | "click" | "page_view" | "purchase";
  /** Only events of this campaign e-mail. Absent: any. */
  marketing_email_id?: string | undefined;
}

export interface EventWebhook {
  /** Unique among the event webhooks. */
  name: string;
  /** Where events are posted: http or https. */
  target: string;
  events: ("delivery" | "bounce" | "complaint" | "open" | "click" | "unsubscribe")[];
  /** An inactive webhook is told nothing. */
  active: boolean;
  /** When a delivery last succeeded. */
  last_successful: string | null;
  /** When an attempt last failed. */
  last_failure: string | null;
}

export interface EventWebhookReplace {
  /** Unique among the event webhooks. */
  name: string;
  /** Where events are posted: http or https. */
  target: string;
  events: ("delivery" | "bounce" | "complaint" | "open" | "click" | "unsubscribe")[];
  /** An inactive webhook is told nothing. */
  active: boolean;
  secret?: WebhookSecret | undefined;
  signing_secret?: SigningSecret | undefined;
}

export interface ExitStep {
  /** Names the step; unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "exit";
}

/** Conditions by field, ANDed, with the operations in `x-filters` (`eq`, `ne`, `between`, `like`, `gt`, `lt`, `gte`, `lte`, `in`, ...); each value is `{operation, value}`, or operations with their values: `{"gte": 1, "lt": 5}`. At most 50 conditions. */
export type Filters = Record<string, unknown>;

export interface Font {
  source?: string | null | undefined;
  family?: string | null | undefined;
  googleFamily?: string | null | undefined;
}

export interface Form {
  code: string;
  /** Names the form in embeds. */
  public_code: string;
  name: string;
  /** Origins that may embed the form; `*` allows all. */
  allowed_origins: string[];
  active: boolean;
  form_type: "embedded_form";
  /** As it was written. */
  formBuilderOptions: unknown;
  theme_code: string | null;
  email_question: string | null;
  /** As it was written. */
  post_submit_actions: unknown;
  /** As it was written. */
  subscriber_mapping: unknown;
  challenge: FormChallenge;
  /** As it was written. */
  notify: unknown;
  retention_days: RetentionDays | null;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Embedded submissions need a solved challenge. Default false. */
export type FormChallenge = boolean;

export interface FormCreate {
  name: string;
  /** Origins that may embed the form; `*` allows all. */
  allowed_origins: string[];
  active: boolean;
  form_type: "embedded_form";
  /** The form as SurveyJS JSON: `pages` with `elements`. Kept and returned verbatim. */
  formBuilderOptions: Record<string, unknown>;
  theme_code?: string | null | undefined;
  email_question?: string | null | undefined;
  post_submit_actions?: PostSubmitAction[] | undefined;
  subscriber_mapping?: SubscriberMapping | null | undefined;
  challenge?: FormChallenge | undefined;
  notify?: FormNotification | null | undefined;
  retention_days?: RetentionDays | null | undefined;
  business_unit?: OwningUnit | undefined;
}

export interface FormForRendering {
  code: string;
  public_code: string;
  name: string;
  formBuilderOptions: unknown;
}

export interface FormListItem {
  code: string;
  /** Names the form in embeds. */
  public_code: string;
  name: string;
  /** Origins that may embed the form; `*` allows all. */
  allowed_origins: string[];
  active: boolean;
  form_type: "embedded_form";
  /** As it was written. */
  formBuilderOptions: unknown;
  theme_code: string | null;
  email_question: string | null;
  /** As it was written. */
  post_submit_actions: unknown;
  /** As it was written. */
  subscriber_mapping: unknown;
  challenge: FormChallenge;
  /** As it was written. */
  notify: unknown;
  retention_days: RetentionDays | null;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  submission_count: number;
  /** Submissions per embed view; 0 without views. */
  conversion_rate: number;
}

export interface FormListItemPage {
  results: FormListItem[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface FormListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters: Filters;
}

/** The answers of each submission are mailed to these addresses, as transactional mail from the tenant's default sender. */
export interface FormNotification {
  emails: string[];
  /** Replies go to the address that was submitted. Default false. */
  reply_to_respondent?: boolean | undefined;
}

export interface FormPatch {
  name?: string | undefined;
  /** Origins that may embed the form; `*` allows all. */
  allowed_origins?: string[] | undefined;
  active?: boolean | undefined;
  form_type?: "embedded_form" | undefined;
  /** The form as SurveyJS JSON: `pages` with `elements`. Kept and returned verbatim. */
  formBuilderOptions?: Record<string, unknown> | undefined;
  theme_code?: string | null | undefined;
  email_question?: string | null | undefined;
  post_submit_actions?: PostSubmitAction[] | undefined;
  subscriber_mapping?: SubscriberMapping | null | undefined;
  challenge?: FormChallenge | undefined;
  notify?: FormNotification | null | undefined;
  retention_days?: RetentionDays | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface FormRendering {
  form: FormForRendering;
  theme: ThemeForRendering | null;
}

export interface FormReplace {
  name: string;
  /** Origins that may embed the form; `*` allows all. */
  allowed_origins: string[];
  active: boolean;
  form_type: "embedded_form";
  /** The form as SurveyJS JSON: `pages` with `elements`. Kept and returned verbatim. */
  formBuilderOptions: Record<string, unknown>;
  theme_code?: string | null | undefined;
  email_question?: string | null | undefined;
  post_submit_actions?: PostSubmitAction[] | undefined;
  subscriber_mapping?: SubscriberMapping | null | undefined;
  challenge?: FormChallenge | undefined;
  notify?: FormNotification | null | undefined;
  retention_days?: RetentionDays | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface FormSettings {
  formTypes: SettingsEntry[];
  postSubmitActionTypes: SettingsEntry[];
  builderLicenseKey: string;
}

export interface FormSubmission {
  id: string;
  version: number;
  created_at: string;
  updated_at: string | null;
  form_code: string;
  form_name: string;
  email_address: string;
  submission_date: string;
  /** As it was written. */
  form_data: unknown;
  subscriber_created: boolean;
  journey_triggered: boolean;
  ip_address: string | null;
  user_agent: string | null;
  events: SubmissionEvent[];
}

export interface FormSubmissionCreate {
  form_code: string;
  /** An e-mail address. */
  email_address: string;
  /** Answers by question. */
  form_data: Record<string, unknown>;
  /** The visitor's IANA time zone, for `today()` in forms. */
  time_zone?: string | undefined;
}

export interface FormSubmissionErasure {
  /** The address that was submitted. */
  email_address: string;
}

export interface FormSubmissionListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  filters: Filters;
}

export interface FormSubmissionPage {
  results: FormSubmission[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface FormSubmissionsErased {
  /** How many submissions went. */
  erased: number;
}

export interface FormTheme {
  code: string;
  name: string;
  /** As it was written. */
  formBuilderThemeOptions: unknown;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface FormThemeCreate {
  name: string;
  formBuilderThemeOptions: ThemeOptions;
  business_unit?: OwningUnit | undefined;
}

export interface FormThemeListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters?: Filters | undefined;
}

export interface FormThemePage {
  results: FormTheme[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface FormThemePatch {
  name?: string | undefined;
  formBuilderThemeOptions?: ThemeOptions | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface FormThemeReplace {
  name: string;
  formBuilderThemeOptions: ThemeOptions;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface FormTrigger {
  type: "form_submission";
  form_code: string;
}

export interface FoundDocument {
  id: string;
  name: string;
  uid: string;
  document_model_id: string;
  status: "draft" | "live" | "archived";
}

export type FoundDocumentList = FoundDocument[];

export interface Grant {
  id: string;
  membership_id: string;
  bu_id: string;
  /** `viewer` reads, `editor` also writes, `admin` also deletes. */
  role: "viewer" | "editor" | "admin";
  created_at: string;
}

export interface GrantInput {
  bu_id: string;
  /** `viewer` reads, `editor` also writes, `admin` also deletes. */
  role: "viewer" | "editor" | "admin";
}

export interface HealthCheck {
  tenant: HealthTenant;
  environment: string;
  config: HealthConfig;
}

export interface HealthConfig {
  emailMarketing: HealthEmailMarketing;
  emailProvider: HealthEmailProvider;
  formsService: HealthFormsService;
}

export interface HealthEmailMarketing {
  jobBatchSize: number;
  transmissionBatchSize: number;
}

export interface HealthEmailProvider {
  baseUrl: string;
  sendingDomain: string;
}

export interface HealthFormsService {
  baseUrl: string;
}

export interface HealthTenant {
  tenant_id: string;
  code: string;
  name: string;
  sandbox_mode: boolean;
  brand_settings: BrandSettings;
}

export interface HookReply {
  run_id: string;
}

export interface HttpRequestStep {
  /** Names the step; unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "http_request";
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  /** http or https. */
  url: string;
  /** `{value, is_secret: true}` is stored encrypted and never read back. */
  headers?: Record<string, string | SecretHeader> | undefined;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown | undefined;
}

export interface IdReply {
  id: string;
}

export interface IdVersionReply {
  id: string;
  version: number;
}

export interface ImageBlock {
  type: "image";
  source: ImageSource;
}

export interface ImageSource {
  type: "base64";
  /** Such as image/png. */
  media_type: string;
  /** The picture in base64, of 5 MiB at most. */
  data: string;
}

export interface ImportReply {
  import_id: string;
}

export interface InvitationAcceptance {
  name?: string | undefined;
  /** Required if `needs_password` is true; ignored otherwise, as is `name`. */
  password?: string | undefined;
}

export interface InvitationInfo {
  /** The tenant's name. */
  tenant: string;
  email: string;
  /** True if the person has no password yet: accepting sets one. Others keep theirs. */
  needs_password: boolean;
}

export interface InvitationSent {
  expires_at: string;
}

/** Present until the person accepts; the membership is inactive until then. */
export interface InvitationTimes {
  sent_at: string;
  expires_at: string;
}

export interface Journey {
  id: string;
  name: string;
  /** Whether it lets people in. States of one that is not wait where they are. */
  active: boolean;
  trigger: JourneyTrigger;
  steps: JourneyStep[];
  re_entry: ReEntry;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  counts: JourneyCounts;
}

export interface JourneyCounts {
  active: number;
  completed: number;
  exited: number;
  failed: number;
}

export interface JourneyCreate {
  name: string;
  /** Whether it lets people in. States of one that is not wait where they are. */
  active: boolean;
  trigger: JourneyTrigger;
  steps: JourneyStep[];
  re_entry?: ReEntry | undefined;
  business_unit?: OwningUnit | undefined;
}

/** One of the two. */
export interface JourneyEnter {
  subscriber_id?: string | undefined;
  email?: string | undefined;
}

export interface JourneyEntered {
  state_id: string;
}

export interface JourneyHistoryEntry {
  step: string;
  at: string;
  /** `sent`, `skipped`, `failed`, `waited`, `event`, `timeout`, `then`, `else`, `done`, `exited`; of a split the key of the step that follows. */
  outcome: string;
}

export interface JourneyListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters?: Filters | undefined;
}

export interface JourneyPage {
  results: Journey[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface JourneyPatch {
  name?: string | undefined;
  /** Whether it lets people in. States of one that is not wait where they are. */
  active?: boolean | undefined;
  trigger?: JourneyTrigger | undefined;
  steps?: JourneyStep[] | undefined;
  re_entry?: ReEntry | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface JourneyReplace {
  name: string;
  /** Whether it lets people in. States of one that is not wait where they are. */
  active: boolean;
  trigger: JourneyTrigger;
  steps: JourneyStep[];
  re_entry?: ReEntry | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface JourneySimulate {
  subscriber_id?: string | undefined;
  subscriber?: SimulatedSubscriber | undefined;
  trigger?: Record<string, unknown> | undefined;
  events?: SimulatedEvent[] | undefined;
  /** An ISO 8601 time. Default: now. */
  start_at?: string | undefined;
}

export interface JourneySimulation {
  status: "active" | "completed" | "exited" | "failed";
  finished_at: string | null;
  steps: SimulatedStep[];
}

export interface JourneyState {
  id: string;
  journey_id: string;
  /** The version with which it began. */
  journey_version: number;
  subscriber_id: string;
  status: "active" | "completed" | "exited" | "failed";
  current_step: string | null;
  /** When it goes on; null: at once, or never. */
  due_at: string | null;
  entered_at: string;
  finished_at: string | null;
  error: string | null;
  history: JourneyHistoryEntry[];
  version: number;
}

export interface JourneyStateListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  filters?: Filters | undefined;
}

export interface JourneyStatePage {
  results: JourneyState[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export type JourneyStep = SendEmailStep | WaitStep | WaitForStep | BranchStep | SplitStep | UpdateSubscriberStep | HttpRequestStep | ExitStep;

/** What lets people in: whoever is unconfirmed, once they confirm. Whatever it is, they can also be let in one by one. */
export type JourneyTrigger = ManualTrigger | FormTrigger | ListTrigger | AudienceTrigger | SubscriptionTrigger | EventTrigger;

/** The version last read; a stale one is refused. */
export type LastReadVersion = number;

export interface List {
  id: string;
  name: string;
  description: string | null;
  /** Subscribers in it, active or not. */
  subscriber_count: number;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** False leaves out `total` and `totalPages`. */
export type ListCount = boolean;

/** `false` leaves out `total` and `totalPages`. */
export type ListCountText = "true" | "false";

export interface ListCreate {
  name: string;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
}

/** The `next` of the page before this one; it takes the place of `page`. */
export type ListCursor = string;

/** The members that results have; absent: all. */
export type ListFields = string[];

export interface ListListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters?: Filters | undefined;
}

/** Subscribers by address or by id: one of the two. */
export interface ListMembers {
  emails?: string[] | undefined;
  subscriber_ids?: string[] | undefined;
}

export interface ListMembersAdded {
  /** Subscribers who were not in the list before. */
  added: number;
  /** Addresses or ids of no subscriber. */
  unknown: string[];
}

export interface ListMembersRemoved {
  removed: number;
}

export interface ListPage {
  results: List[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

/** Absent with `count: false`. */
export type ListPages = number;

export interface ListPatch {
  name?: string | undefined;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface ListReplace {
  name: string;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

/** A field in `x-sort` of the operation, with `-` before it descending. Default: `-created_at`. */
export type ListSort = string;

/** Items that match, on all pages. Absent with `count: false`. */
export type ListTotal = number;

export interface ListTrigger {
  type: "list_joined";
  list_id: string;
}

export interface ManualTrigger {
  type: "manual";
}

export interface MarketingEvent {
  type: "page_view" | "purchase" | "engagement_time";
  subscriber_id?: string | undefined;
  /** The address of the person, instead of `subscriber_id`. */
  email?: string | undefined;
  /** The e-mail that led to it. Default: the last one that the person clicked within 30 days. */
  marketing_email_id?: string | undefined;
  url?: string | undefined;
  /** Of a purchase. */
  amount?: number | undefined;
  /** Of an engagement_time. */
  seconds?: number | undefined;
  /** Default: now. */
  occurred_at?: string | undefined;
}

export interface MarketingEventFigure {
  /** The day in UTC, the type, or the code of the campaign; empty: of none. */
  key: string;
  count: number;
  unique_subscribers: number;
  amount: number;
}

export interface MarketingEventFigures {
  results: MarketingEventFigure[];
}

export interface MarketingEvents {
  events: MarketingEvent[];
}

export interface MarketingEventsAccepted {
  accepted: number;
}

export interface MarketingEventsQuery {
  /** An ISO 8601 date or time. */
  from: string;
  /** An ISO 8601 date or time. */
  to: string;
  group_by: "day" | "type" | "campaign";
  /** By field (type, subscriber_id, marketing_email_id, campaign_code), ANDed: a value that it must have, or `{operation, value}`. */
  filters?: Record<string, unknown> | undefined;
}

export interface Membership {
  membership_id: string;
  user_id: string;
  email: string;
  name: string;
  is_tenant_admin: boolean;
  status: "active" | "inactive";
  grants: Grant[];
  invitation?: InvitationTimes | undefined;
}

export interface MembershipCreate {
  email: string;
  name: string;
  /** Only for a user who does not exist yet; ignored otherwise. */
  password?: string | undefined;
  /** Owner of the tenant; false by default. */
  is_tenant_admin?: boolean | undefined;
  /** The whole set; at most one grant per unit. */
  grants?: GrantInput[] | undefined;
  /** Sends a link by mail and leaves the membership `inactive` until the person accepts, within seven days. Takes no password. */
  invite?: boolean | undefined;
}

export interface MembershipCreated {
  membership_id: string;
  user_id: string;
}

export interface MembershipIdReply {
  membership_id: string;
}

export interface MembershipPage {
  results: Membership[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface MembershipUpdate {
  status?: "active" | "inactive" | undefined;
  is_tenant_admin?: boolean | undefined;
  /** The whole set; at most one grant per unit. */
  grants?: GrantInput[] | undefined;
  version?: LastReadVersion | undefined;
}

export interface Message {
  role: "user" | "assistant";
  content: (TextBlock | ImageBlock | ToolUseBlock | ToolResultBlock)[];
  /** What the platform or the caller notes beside it; no model sees it. Of an answer that looked something up: `sources`. */
  metadata?: Record<string, unknown> | undefined;
}

export interface MetricQuery {
  query: NamedMetricQuery;
}

export interface MetricResult {
  queryName: string;
  result: Record<string, number | string>;
}

export interface MetricsByEmail {
  metricsByEmailId: Record<string, EmailMetrics>;
}

export interface MetricsOfEmails {
  marketing_email_ids: string[];
}

export interface ModelSettings {
  /** What the model is told before the messages. */
  system: string;
  temperature: number;
  /** llm-3-opus-20240229, llm-3-5-sonnet-20240620, llm-3-sonnet-20240229, llm-3-haiku-20240307, or any name that the provider knows. */
  model: string;
  /** The longest answer. */
  max_tokens: number;
  tools?: AssistantTool[] | undefined;
}

export interface ModelUsage {
  results: ModelUse[];
  /** Items that match, on all pages. */
  total: number;
  totalPages: number;
  counts: ModelUsageCounts;
}

export interface ModelUsageCounts {
  document_models: number;
  slice_models: number;
  site_settings: number;
  /** Documents of the models that use it. */
  documents: number;
}

export interface ModelUse {
  type: "document_model" | "slice_model" | "site_settings" | "document";
  project_id: string;
  id: string;
  /** Its name, or the label of a document model. */
  name: string;
  /** Of a document. */
  document_model_id?: string | undefined;
  /** Of a document. */
  uid?: string | undefined;
  /** Of a document. */
  status?: string | undefined;
}

export interface NameReply {
  name: string;
}

export interface NamedMetricQuery {
  name: "getMarketingEmailOpenRate" | "getMarketingEmailClickRate" | "getMarketingEmailUnsubscribeRate" | "getMarketingEmailBounceRate" | "getMarketingEmailConversionRate";
}

/** Only in the answer to `sort`, `after`, `fields` or `count`: the `after` of the next page; null on the last one. */
export type NextCursor = string | null;

/** The step that follows. Default: the next one in the list. */
export type NextStep = string;

export interface NoticesReply {
  /** Bounces and complaints that were not known. */
  recorded: number;
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = unknown;

export interface OperatorKeyCreate {
  name?: string | undefined;
  /** The member's e-mail address; the tenant's oldest owner when absent. */
  email?: string | undefined;
}

export interface OutboxItem {
  id: string;
  /** Address that the message was for, in lower case. */
  to: string;
  /** Address of the From field. */
  from: string;
  subject: string;
  created_at: string;
  /** Where the message is read as it would have been sent; operators only. */
  raw_url: string;
}

export interface OutboxItemPage {
  results: OutboxItem[];
  /** Items that match, on all pages. */
  total: number;
  totalPages: number;
}

export interface OutboxMessage {
  id: string;
  /** Address that the message was for, in lower case. */
  to: string;
  /** Address of the From field. */
  from: string;
  subject: string;
  created_at: string;
  html: string | null;
  text: string | null;
  /** Header fields by lower-case name, unfolded; a list when a field occurs more than once. */
  headers: Record<string, string | string[]>;
}

export interface OwnMembership {
  tenant_id: string;
  tenant_name: string;
  tenant_code: string;
  is_tenant_admin: boolean;
  status: "active" | "inactive";
}

export interface OwnMemberships {
  results: OwnMembership[];
}

/** Id, slug or name of the owning business unit; cannot change once set. Null counts as absent. */
export type OwningUnit = string | null;

/** Items per page. */
export type PageLimit = number;

/** 1-based page. */
export type PageNumber = number;

export interface PageProject {
  id: string;
  name: string;
  description: string;
  /** Other projects can be made from it. Default: false. */
  is_template: boolean;
  template_id: string | null;
  duplicated_from: string | null;
  business_unit_id: string;
  /** Of a template: rises with every change of a document or slice model. */
  template_version?: number | undefined;
  /** Of a project made from a template: which version of it was taken over last. */
  synced_template_version?: number | undefined;
  template_synced_at?: string | undefined;
  redirect_config: RedirectConfig | null;
  preview_config: PreviewConfig | null;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface PageProjectDuplicate {
  name: string;
  business_unit_id?: OwningUnit | undefined;
}

export type PageProjectList = PageProject[];

export interface PageProjectPage {
  results: PageProject[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface PageProjectPatch {
  name?: string | undefined;
  description?: string | undefined;
  /** Other projects can be made from it. Default: false. */
  is_template?: boolean | undefined;
  template_id?: string | null | undefined;
  duplicated_from?: string | null | undefined;
  redirect_config?: RedirectConfig | null | undefined;
  preview_config?: PreviewConfig | null | undefined;
  business_unit_id?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface PageProjectReplace {
  name: string;
  description: string;
  /** Other projects can be made from it. Default: false. */
  is_template?: boolean | undefined;
  template_id?: string | null | undefined;
  duplicated_from?: string | null | undefined;
  redirect_config?: RedirectConfig | null | undefined;
  preview_config?: PreviewConfig | null | undefined;
  business_unit_id?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface PageProjectSynced {
  id: string;
  synced_template_version: number;
  /** What was accepted and yet deserves a word; absent when there is nothing. */
  warnings?: Warning[] | undefined;
}

export type PageProjects = PageProjectList | PageProjectPage;

export interface Pagination {
  page: number;
  per_page: number;
  /** Records that match, on all pages. */
  total: number;
  total_pages: number;
}

export interface PasswordChange {
  current_password: string;
  password: string;
}

export interface PasswordReset {
  password: string;
}

export interface PasswordResetHint {
  /** The address with all but its first letter and its domain hidden. */
  email_hint: string;
}

export interface PasswordResetRequest {
  email: string;
}

export interface PasswordSet {
  email: string;
  /** A random one of 20 characters when absent. */
  password?: string | undefined;
}

export interface PasswordSetAnswer {
  email: string;
  /** Shown only now. */
  password: string;
}

export interface PostSubmitAction {
  type: "redirect" | "show_message" | "trigger_journey";
  /** Where `redirect` leads: http or https. */
  url?: string | undefined;
  /** What `show_message` shows; sanitised in the browser. */
  html?: string | undefined;
  /** The journey that `trigger_journey` starts. */
  journey_id?: string | undefined;
}

export interface Preferences {
  tenant: PreferencesTenant;
  subscriber: PreferencesSubscriber;
  /** The active ones. */
  available_subscription_types: AvailableSubscriptionType[];
  referrer: PreferencesReferrer;
}

/** The e-mail that the link came with. */
export interface PreferencesReferrer {
  marketingEmailId: string | null;
  subscriptionTypeId: string | null;
}

export interface PreferencesSubscriber {
  email: string;
  /** One for each type that is available. */
  subscriptions: PreferencesSubscription[];
}

export interface PreferencesSubscriberUpdates {
  /** true: no marketing mail at all any more; false changes nothing. */
  mark_inactive?: boolean | undefined;
  inactive_reason?: string | undefined;
}

export interface PreferencesSubscription {
  subscription_type_id: string;
  subscribed: boolean;
}

export interface PreferencesTenant {
  id: string;
  name: string;
  /** Empty without one. */
  brand_logo_url: string;
  /** Empty without one. */
  brand_primary_color: string;
}

export interface PreferencesUpdate {
  subscription_updates: SubscriptionChanges;
  /** true: unsubscribes from every type that is not named; false: leaves those as they are. */
  replace_all: boolean;
  subscriber_updates?: PreferencesSubscriberUpdates | undefined;
}

export interface PreferencesUpdated {
  success: boolean;
}

export interface Preflight {
  recipients: number;
  excluded: PreflightExclusions;
  problems: PreflightEntry[];
  warnings: PreflightEntry[];
}

export interface PreflightEntry {
  /** A stable name of the fault, such as `variable_missing`. */
  id: string;
  field: string;
  message: string;
  /** The variable without a value. */
  variable?: string | undefined;
  /** The snippet in which `line` and `column` count. */
  snippet?: string | undefined;
  /** 1-based line in the template. */
  line?: number | undefined;
  /** 1-based column in the template. */
  column?: number | undefined;
  /** Recipients that it concerns. */
  count: number;
}

export interface PreflightExclusions {
  inactive: number;
  unsubscribed: number;
  suppressed: number;
  sandbox: number;
  duplicate: number;
}

export interface PreviewConfig {
  /** The domain, or address, that shows previews. */
  domain: string;
}

export interface PreviewContent {
  from: string | PreviewSender;
  subject?: string | undefined;
  html: string;
  text?: string | undefined;
}

export interface PreviewSender {
  email: string;
  name?: string | undefined;
}

export interface PreviewSnapshot {
  project_id: string;
  document_id: string;
  document_model_id: string | null;
  uid: string | null;
  snapshot: string;
  created_at: string;
  updated_at: string;
  token: string;
}

export interface PreviewSnapshotCreate {
  /** The editor's state as it says it; kept as it is. */
  snapshot: string;
}

export interface PreviewSnapshotCreated {
  /** Secret: it shows the snapshot for 24 hours. */
  token: string;
}

export interface ProviderHookCreate {
  provider: "ses" | "mailgun" | "sendgrid" | "postmark";
  signing_key?: string | null | undefined;
}

export interface ProviderHookCreated {
  /** Secret: it holds a token. */
  url: string;
}

export interface QueueMessage {
  /** Any JSON: what runs read as `trigger.message.body`. */
  body: unknown;
}

export interface QueueMessageReply {
  message_id: string;
}

/** Whether somebody may enter again, once the earlier time has ended. Default `never`. */
export type ReEntry = "never" | "after_exit" | ReEntryAfterDays;

export interface ReEntryAfterDays {
  after_days: number;
}

export interface RecipientAddress {
  email: string;
  name?: string | undefined;
  /** The visible To; the mail goes to `email`. */
  header_to?: string | undefined;
}

export interface RecipientReply {
  recipient: string;
}

export interface RecipientStory {
  recipient: string;
  /** The first 100. */
  messages: StoryMessage[];
}

export interface RecordCount {
  results: RecordGroup[];
  /** Records that match, of whatever value. */
  total: number;
  /** Of all records that match; only with `sum`. */
  sum?: number | undefined;
}

export interface RecordDeleted {
  success: boolean;
  message: string;
}

export interface RecordGroup {
  /** As records show it; null where they have none. */
  value: unknown;
  count: number;
  sum?: number | undefined;
}

export interface RecordIds {
  ids: unknown[];
}

export interface RecordMove {
  /** A state of the workflow. */
  to: string;
}

export interface RecordsCreate {
  records: unknown[];
}

export interface RecordsCreated {
  success: boolean;
  created: number;
  /** In the order of the records. */
  ids: string[];
}

export interface RecordsDeleted {
  success: boolean;
  deleted: number;
}

export interface RecordsUpdate {
  /** Conditions with the keys of the list, such as `{"status__in": "a,b"}`. */
  filter: Record<string, unknown>;
  update: EntityRecordValues;
}

export interface RecordsUpdated {
  success: boolean;
  updated: number;
}

export interface Redirect {
  id: string;
  project_id: string;
  source_domain: RedirectDomain;
  rule_type: "static" | "prefix" | "regex";
  /** Of a static rule: the path, without a query. */
  source_url_path: string | null;
  /** Of a static rule: a path of the same domain, or a web address. */
  target_url: string | null;
  /** Of a prefix rule: the first segments of a path. Of a regex rule: an expression of RE2. */
  source_pattern: string | null;
  /** As `target_url`; of a regex rule `$1`, `$2` stand for what the groups have captured. */
  target_pattern: string | null;
  redirect_type: "301" | "302" | "308";
  /** Pattern rules of higher priority are tried first. */
  priority: number;
  is_active: boolean;
  /** Whether the target is on another domain. */
  is_external: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface RedirectCheck {
  redirect: boolean;
  redirect_type?: "301" | "302" | "308" | undefined;
  /** Fit for a `Location` header. */
  target_url?: string | undefined;
  is_external?: boolean | undefined;
}

export interface RedirectConfig {
  /** The domains whose redirects the project keeps. */
  source_domains: string[];
}

export interface RedirectCreate {
  source_domain: RedirectDomain;
  rule_type?: "static" | "prefix" | "regex" | undefined;
  source_url_path?: string | null | undefined;
  target_url?: string | null | undefined;
  source_pattern?: string | null | undefined;
  target_pattern?: string | null | undefined;
  redirect_type: "301" | "302" | "308";
  /** Pattern rules of higher priority are tried first. */
  priority?: number | undefined;
  is_active?: boolean | undefined;
}

/** One of the project's `redirect_config.source_domains`; kept in small letters. */
export type RedirectDomain = string;

export interface RedirectListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  filters?: Filters | undefined;
}

export interface RedirectPage {
  results: Redirect[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface RedirectPatch {
  source_domain?: RedirectDomain | undefined;
  rule_type?: "static" | "prefix" | "regex" | undefined;
  source_url_path?: string | null | undefined;
  target_url?: string | null | undefined;
  source_pattern?: string | null | undefined;
  target_pattern?: string | null | undefined;
  redirect_type?: "301" | "302" | "308" | undefined;
  /** Pattern rules of higher priority are tried first. */
  priority?: number | undefined;
  is_active?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface RedirectReplace {
  source_domain: RedirectDomain;
  rule_type?: "static" | "prefix" | "regex" | undefined;
  source_url_path?: string | null | undefined;
  target_url?: string | null | undefined;
  source_pattern?: string | null | undefined;
  target_pattern?: string | null | undefined;
  redirect_type: "301" | "302" | "308";
  /** Pattern rules of higher priority are tried first. */
  priority?: number | undefined;
  is_active?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface RedirectTest {
  source_domain: string;
  /** The path that is asked for, with its query if it has one. */
  source_url_path: string;
}

export interface RefreshToken {
  refresh_token: string;
}

export interface ReplyBody {
  message?: string | Message | undefined;
}

export interface ReportExport {
  /** Where the file is sent to. */
  receiver_email: string;
  report_type: "campaigns" | "marketing_email_details" | "subscribers" | "form_submissions";
  output_format: "csv";
  filters: Filters;
  /** Begin the file with a byte order mark, by which Excel knows UTF-8. Absent: true for calls and downloads of browsers. */
  byte_order_mark?: boolean | undefined;
}

export interface ReportExportProgress {
  messageId: string;
  /** `sent`: the mail was handed over. */
  status: "queued" | "running" | "sent" | "failed";
  rows: number | null;
  created_at: string;
  finished_at: string | null;
  error: string | null;
}

export interface ReportExportQueued {
  messageId: string;
}

export interface RestoreRecord {
  entityType: EntityTypeName;
  entitySortKey: EntitySortKey;
  /** Default: the last one of a deleted record. */
  version?: number | undefined;
  /** The only members to take from `version`. Default: all but `active` and `status`. */
  fields?: string[] | undefined;
  /** The newest version; another is refused. */
  expected_version?: number | undefined;
  /** Writes nothing. */
  dry_run?: boolean | undefined;
  /** Members that replace those of the version, such as secrets or a name that is taken. */
  changes?: Record<string, unknown> | undefined;
}

export interface RestoreWarning {
  message: string;
}

export interface RestoredRecord {
  entityType: EntityTypeName;
  entitySortKey: string;
  /** The new version; the newest one if nothing changes. */
  version: number;
  changed_fields: string[];
  /** What is not restored. */
  warnings: RestoreWarning[];
}

/** Days after which submissions are erased with their history and deliveries. Absent or null: never. */
export type RetentionDays = number;

export interface ScheduledTime {
  /** Wall-clock time `YYYY-MM-DDTHH:mm`, with or without seconds and milliseconds. One that a change of the clocks skips moves forward; one that occurs twice is the first. With `Z` or an offset it is absolute. */
  date: string;
  timezone: "America/Sao_Paulo" | "Australia/Brisbane" | "Australia/Sydney" | "UTC";
}

export interface SearchByAudiences {
  queryName: "getSubscribersCountByAudienceIds";
  vars: SearchByAudiencesVars;
}

export interface SearchByAudiencesVars {
  audienceIds: string[];
  /** Count only who is subscribed to this type of subscription. */
  activeSubscriptionTypeId?: string | undefined;
}

export interface SearchByLists {
  queryName: "getSubscribersCountByListIds";
  vars: SearchByListsVars;
}

export interface SearchByListsVars {
  listIds: string[];
  /** Count only who is subscribed to this type of subscription. */
  activeSubscriptionTypeId?: string | undefined;
}

/** Words that must all occur, in any letter case. */
export type SearchText = string;

export interface SecretHeader {
  /** True: the value is stored encrypted and never read back. */
  is_secret: boolean;
  /** At most 2000 characters, without expressions. A PUT that leaves it out keeps the stored value. */
  value?: string | undefined;
}

export interface SendEmailStep {
  /** Names the step; unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "send_email";
  /** It sees `subscriber.first_name`, `unsubscribe_url` and others, as campaigns do. */
  template_id: string;
  /** Who has left this type is passed over. */
  subscription_type_id?: string | undefined;
  /** Instead of the template's. */
  subject?: string | undefined;
  /** Instead of the template's. */
  from_email?: string | undefined;
}

export interface SenderIdentity {
  from_name: string;
  /** The key, whatever its case. */
  from_email_address: string;
  /** An address, or empty. */
  reply_to: string;
  company_address?: string | undefined;
  city?: string | undefined;
  nickname: string;
}

export interface SenderIdentityList {
  results: SenderIdentity[];
}

export interface SenderIdentityReply {
  from_email_address: string;
}

export interface SendingDomain {
  creation_time: string;
  domain: string;
  /** Whether bounces come back here: of the verified domains whose bounce name leads here, the first. */
  is_default_bounce_domain: boolean;
  status: DomainStatus;
  /** What to publish in the DNS. */
  dns_records: DnsRecord[];
}

export interface SendingDomainItem {
  creation_time: string;
  domain: string;
  /** Whether bounces come back here: of the verified domains whose bounce name leads here, the first. */
  is_default_bounce_domain: boolean;
  status: DomainStatus;
}

export type SendingDomainList = SendingDomain[];

export interface Settings {
  /** 0 until they are first written. */
  version: number;
  created_at: string;
  updated_at: string;
  sender_identities: SenderIdentity[];
  whitelist_recipient_rules: WhitelistRule[];
  subscription_types: SubscriptionType[];
  subscriber_additional_fields: Record<string, AdditionalField>;
  /** While true, mail goes to whitelisted recipients only. */
  sandbox_mode: boolean;
  sending_domains: SendingDomainItem[];
  event_webhooks: EventWebhook[];
}

export interface SettingsEntry {
  key: string;
  name: string;
  description: string;
}

export interface SettingsPatch {
  sender_identities?: SenderIdentity[] | undefined;
  whitelist_recipient_rules?: WhitelistRule[] | undefined;
  subscription_types?: SubscriptionType[] | undefined;
  subscriber_additional_fields?: Record<string, AdditionalField> | undefined;
  /** While true, mail goes to whitelisted recipients only. */
  sandbox_mode?: boolean | undefined;
  event_webhooks?: EventWebhookReplace[] | undefined;
  version?: LastReadVersion | undefined;
}

export interface SettingsReplace {
  sender_identities: SenderIdentity[];
  whitelist_recipient_rules: WhitelistRule[];
  subscription_types: SubscriptionType[];
  subscriber_additional_fields: Record<string, AdditionalField>;
  /** While true, mail goes to whitelisted recipients only. */
  sandbox_mode?: boolean | undefined;
  event_webhooks?: EventWebhookReplace[] | undefined;
  version?: LastReadVersion | undefined;
}

export interface SignIn {
  email: string;
  password: string;
  /** Which tenant; needed by whoever belongs to several. */
  tenant_code?: string | undefined;
}

export interface SignedIn {
  /** Access token for `Authorization: Bearer`, good for an hour. */
  token: string;
  /** Good for 30 days, once. */
  refresh_token: string;
  user: SignedInUser;
}

export interface SignedInUser {
  id: string;
  email: string;
  name: string;
}

/** Deliveries are signed with it as Standard Webhooks say: with the bytes that `whsec_<base64>` encodes, or the characters of any other text. Stored encrypted and never read back; left out of a replace it stays, null removes it. */
export type SigningSecret = string | null;

export interface SimulatedEmail {
  subject: string;
  html: string;
}

export interface SimulatedEvent {
  /** After `start_at`. */
  after_seconds: number;
  type: "open" | "click" | "page_view" | "purchase" | "form_submission";
  /** The step whose mail it is of. Absent: any. */
  step?: string | undefined;
  form_code?: string | undefined;
}

/** The call that would be made. */
export interface SimulatedRequest {
  method: string;
  url: string;
}

export interface SimulatedStep {
  step: string;
  type: string;
  at: string;
  outcome: string;
  error?: string | undefined;
  email?: SimulatedEmail | undefined;
  request?: SimulatedRequest | undefined;
}

/** Somebody who is made up; what is left out is a sample. */
export interface SimulatedSubscriber {
  first_name?: string | undefined;
  last_name?: string | null | undefined;
  email?: string | undefined;
  active?: boolean | undefined;
  lists?: string[] | undefined;
  audiences?: string[] | undefined;
  additional_fields_data?: Record<string, string | number | boolean> | null | undefined;
  subscription_updates?: SubscriptionChange[] | undefined;
}

/** A picture, such as one of the assets. */
export interface SiteImage {
  url: string;
  alt?: string | null | undefined;
}

export interface SiteSettings {
  id: string;
  project_id?: string | undefined;
  version?: number | undefined;
  created_at?: string | undefined;
  updated_at?: string | undefined;
}

export interface SiteSettingsReplace {
  website_name?: string | null | undefined;
  favicon?: SiteImage | null | undefined;
  logo_full_light?: SiteImage | null | undefined;
  logo_full_dark?: SiteImage | null | undefined;
  logo_compact_light?: SiteImage | null | undefined;
  logo_compact_dark?: SiteImage | null | undefined;
  typography?: Typography | null | undefined;
  nav_header?: string | null | undefined;
  nav_footer?: string | null | undefined;
  social_facebook?: string | null | undefined;
  ga_measurement_id?: string | null | undefined;
  default_meta_title?: string | null | undefined;
  default_meta_description?: string | null | undefined;
  version?: LastReadVersion | undefined;
}

export interface SkippedIndexItem {
  id: string;
  /** Why the embeddings provider refused its text. */
  message: string;
}

export interface SliceColumn {
  /** The blocks that may stand in the column: `*` for all, or their ids. */
  allow?: "*" | string[] | undefined;
}

export interface SliceModel {
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`, unique within the project. */
  id: string;
  type: "SharedSlice";
  /** What people call it. */
  name: string;
  description: string | null;
  /** Sections and layouts stand at the top of a page, blocks in a column of a layout. Default: section. */
  kind: "section" | "layout" | "block";
  /** Core: the tenant's, found through any of its projects and written by its owners. Default: bespoke, of this project alone. */
  origin: "core" | "bespoke";
  /** Default: stable. */
  status: "stable" | "beta" | "deprecated";
  category: string | null;
  tags: string[];
  keywords: string[];
  media: string[];
  /** As it was written. */
  variations: unknown;
  /** Of a core slice: the project through which it was made. */
  project_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** How many slices have each value, among those that match everything but the filter of the same name: the 1,000 values that most have. */
export interface SliceModelFacets {
  category: Record<string, number>;
  tags: Record<string, number>;
  media: Record<string, number>;
  origin: Record<string, number>;
  status: Record<string, number>;
}

export interface SliceModelPage {
  results: SliceModel[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
  facets: SliceModelFacets;
}

export interface SliceModelPatch {
  type?: "SharedSlice" | undefined;
  /** What people call it. */
  name?: string | undefined;
  description?: string | null | undefined;
  /** Sections and layouts stand at the top of a page, blocks in a column of a layout. Default: section. */
  kind?: "section" | "layout" | "block" | undefined;
  /** Core: the tenant's, found through any of its projects and written by its owners. Default: bespoke, of this project alone. */
  origin?: "core" | "bespoke" | undefined;
  /** Default: stable. */
  status?: "stable" | "beta" | "deprecated" | undefined;
  category?: string | null | undefined;
  tags?: string[] | undefined;
  keywords?: string[] | undefined;
  media?: string[] | undefined;
  /** Kept as they were written; at most 1 MiB. */
  variations?: SliceVariation[] | undefined;
  version?: LastReadVersion | undefined;
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`, unique within the project. */
  id: string;
}

export interface SliceModelPut {
  type?: "SharedSlice" | undefined;
  /** What people call it. */
  name: string;
  description?: string | null | undefined;
  /** Sections and layouts stand at the top of a page, blocks in a column of a layout. Default: section. */
  kind?: "section" | "layout" | "block" | undefined;
  /** Core: the tenant's, found through any of its projects and written by its owners. Default: bespoke, of this project alone. */
  origin?: "core" | "bespoke" | undefined;
  /** Default: stable. */
  status?: "stable" | "beta" | "deprecated" | undefined;
  category?: string | null | undefined;
  tags?: string[] | undefined;
  keywords?: string[] | undefined;
  media?: string[] | undefined;
  /** Kept as they were written; at most 1 MiB. */
  variations?: SliceVariation[] | undefined;
  version?: LastReadVersion | undefined;
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`, unique within the project. */
  id: string;
}

export interface SliceVariation {
  id: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  docURL?: string | null | undefined;
  version?: string | null | undefined;
  imageUrl?: string | null | undefined;
  /** Its fields, as a field-definition map. */
  primary?: Record<string, unknown> | undefined;
  /** The fields of what it repeats. */
  items?: Record<string, unknown> | undefined;
  /** The columns of a layout. */
  columns?: SliceColumn[] | undefined;
}

export interface SplitBranch {
  percent: number;
  /** The key of a step. */
  to: string;
}

export interface SplitStep {
  /** Names the step; unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "split";
  /** Their percents sum to 100. */
  branches: SplitBranch[];
}

export interface StatusReply {
  status: string;
}

export interface StoryMessage {
  message_id: string;
  status: "queued" | "sending" | "sent" | "failed" | "suppressed" | "bounced";
  error: string | null;
  attempts: number;
  next_attempt_at: string | null;
  /** In the order they happened; of what was seen of it later, the first 1,000. */
  steps: StoryStep[];
}

export interface StoryStep {
  step: "accepted" | "suppressed" | "cancelled" | "rendered" | "render_failed" | "deferred" | "handed_over" | "failed" | "bounced" | "complained" | "unsubscribed" | "opened" | "clicked";
  at: string | null;
  detail: string | null;
  /** Of a template at fault: subject, html or text. */
  part?: string | undefined;
  variable?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  /** Why this open or click is not counted as a person’s. */
  machine_reason?: string | undefined;
}

export interface SubmissionEvent {
  type: string;
  message: string;
  isError: boolean;
  timestamp: string;
}

export interface SubmissionIdReply {
  submission_id: string;
}

export interface Subscriber {
  id: string;
  first_name: string;
  last_name: string | null;
  /** The address; nobody else in the unit has it. */
  email: string;
  /** Whether marketing mail may reach the person. */
  active: boolean;
  /** Required when `active` is false. */
  inactive_reason: string | null;
  audiences: string[];
  lists: string[];
  /** As it was written. */
  additional_fields_data: unknown;
  subscription_preferences: SubscriptionPreference[];
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface SubscriberByEmail {
  first_name?: string | undefined;
  last_name?: string | null | undefined;
  /** The address; nobody else in the unit has it. */
  email?: string | undefined;
  /** Whether marketing mail may reach the person. */
  active?: boolean | undefined;
  inactive_reason?: string | null | undefined;
  audiences?: string[] | undefined;
  lists?: string[] | undefined;
  additional_fields_data?: AdditionalFieldValues | null | undefined;
  subscription_updates?: SubscriptionChanges | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface SubscriberByEmailReply {
  id: string;
  /** False: the subscriber existed and was updated. */
  created: boolean;
}

export interface SubscriberClickedLink {
  url: string;
  count: number;
  first_clicked_at: string;
  last_clicked_at: string;
}

export type SubscriberCounts = SubscriberCountsByList | SubscriberCountsByAudience;

export interface SubscriberCountsByAudience {
  subscribersCountByAudienceId: Record<string, number>;
}

export interface SubscriberCountsByList {
  subscribersCountByListId: Record<string, number>;
}

export interface SubscriberCreate {
  first_name: string;
  last_name?: string | null | undefined;
  /** The address; nobody else in the unit has it. */
  email: string;
  /** Whether marketing mail may reach the person. */
  active: boolean;
  inactive_reason?: string | null | undefined;
  audiences: string[];
  lists: string[];
  additional_fields_data?: AdditionalFieldValues | null | undefined;
  subscription_updates?: SubscriptionChanges | undefined;
  business_unit?: OwningUnit | undefined;
}

export interface SubscriberEngagement {
  subscriber_id: string;
  campaign_code: string;
  marketing_email_id: string;
  email_sent_at: string | null;
  email_delivered_at: string | null;
  delivery_status: "PENDING" | "SUPPRESSED" | "FAILED" | "DELIVERED" | "BOUNCED" | "COMPLAINED";
  first_opened_at: string | null;
  last_opened_at: string | null;
  open_count: number;
  first_clicked_at: string | null;
  last_clicked_at: string | null;
  click_count: number;
  /** Links that were followed. */
  unique_click_count: number;
  clicked_links: SubscriberClickedLink[];
  unsubscribed_at: string | null;
  first_page_view_at: string | null;
  last_page_view_at: string | null;
  page_view_count: number;
  total_engagement_time_seconds: number;
  first_purchase_at: string | null;
  last_purchase_at: string | null;
  purchase_count: number;
  total_purchase_amount: number;
  /** 0 to 100. */
  engagement_score: number;
  updated_at: string;
  campaign_metadata: EngagementCampaign;
}

export interface SubscriberEngagementFilters {
  campaignCode?: string | undefined;
  marketingEmailId?: string | undefined;
}

export interface SubscriberEngagementPage {
  results: SubscriberEngagement[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface SubscriberEngagementQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  filters: SubscriberEngagementFilters;
}

export interface SubscriberImport {
  status: "queued" | "running" | "completed" | "failed";
  /** Rows of the file, without the header. */
  total: number;
  created: number;
  updated: number;
  failed: number;
  /** The first 1000. */
  errors: SubscriberImportFault[];
}

export interface SubscriberImportFault {
  /** Where the row begins in the file; the header of a CSV file is line 1. */
  line: number;
  /** The column, or member of a line of JSON, that is wrong; absent: the row as a whole. */
  column?: string | undefined;
  message: string;
}

export interface SubscriberListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  search?: SearchText | undefined;
  filters: Filters;
}

/** Names are questions of the form. */
export interface SubscriberMapping {
  enabled: boolean;
  first_name?: string | undefined;
  last_name?: string | undefined;
  lists?: string[] | undefined;
  audiences?: string[] | undefined;
  subscription_type_ids?: string[] | undefined;
  /** Whoever is new is inactive until they confirm, which a mail asks them to; that needs a verified sending domain. Default false. */
  double_opt_in?: boolean | undefined;
  /** The template of that mail, which uses `confirm_url`. Absent: a text of our own. */
  double_opt_in_template_id?: string | undefined;
}

export interface SubscriberPage {
  results: Subscriber[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface SubscriberPatch {
  first_name?: string | undefined;
  last_name?: string | null | undefined;
  /** The address; nobody else in the unit has it. */
  email?: string | undefined;
  /** Whether marketing mail may reach the person. */
  active?: boolean | undefined;
  inactive_reason?: string | null | undefined;
  audiences?: string[] | undefined;
  lists?: string[] | undefined;
  additional_fields_data?: AdditionalFieldValues | null | undefined;
  subscription_updates?: SubscriptionChanges | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface SubscriberReplace {
  first_name: string;
  last_name?: string | null | undefined;
  /** The address; nobody else in the unit has it. */
  email: string;
  /** Whether marketing mail may reach the person. */
  active: boolean;
  inactive_reason?: string | null | undefined;
  audiences: string[];
  lists: string[];
  additional_fields_data?: AdditionalFieldValues | null | undefined;
  subscription_updates?: SubscriptionChanges | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface SubscriberSearch {
  payload: SearchByLists | SearchByAudiences;
}

export interface SubscriptionChange {
  subscription_type_id: string;
  subscribe: boolean;
}

/** Types to subscribe to, or to unsubscribe from. */
export type SubscriptionChanges = SubscriptionChange[];

export interface SubscriptionPreference {
  subscription_type_id: string;
  subscribed: boolean;
  subscribed_date: string;
  unsubscribed_date: string | null;
}

export interface SubscriptionTrigger {
  type: "subscribed";
  subscription_type_id: string;
}

export interface SubscriptionType {
  id: string;
  name: string;
  description: string;
  active: boolean;
}

export interface SubscriptionTypeList {
  results: SubscriptionType[];
}

export interface SubscriptionUpdate {
  subscription_type_id: string;
  subscribe: boolean;
}

export interface Success {
  success: true;
}

export interface SuccessCodeReply {
  success: boolean;
  code: string;
}

export interface SuccessCodeReplyWithWarnings {
  success: boolean;
  code: string;
  /** What was accepted and yet deserves a word; absent when there is nothing. */
  warnings?: Warning[] | undefined;
}

export interface SuccessReply {
  success: boolean;
}

export interface Suppression {
  /** Address in its normal form: trimmed and in lower case. */
  recipient: string;
  type: "bounce" | "complaint" | "unsubscribe";
  description: string;
  created_at: string;
}

export interface SuppressionCreate {
  /** Address in its normal form: trimmed and in lower case. */
  recipient: string;
  type: "bounce" | "complaint" | "unsubscribe";
  description?: string | undefined;
}

export interface SuppressionImport {
  /** The answer to the upload comes when all is done. */
  status: "completed";
  /** Rows below the header. */
  total: number;
  created: number;
  /** Who is suppressed already stays so as it is. */
  updated: 0;
  /** Rows of recipients that were suppressed already. */
  unchanged: number;
  failed: number;
  /** The first 1000. */
  errors: SuppressionImportFault[];
}

export interface SuppressionImportFault {
  /** Where the row begins in the file; the header is line 1. */
  line: number;
  /** What is wrong; absent: the row as a whole. */
  column?: string | undefined;
  message: string;
}

export interface SuppressionList {
  results: Suppression[];
  metadata: SuppressionListMetadata;
}

export interface SuppressionListMetadata {
  /** Suppressions that match, on all pages. Absent with `count: false`. */
  total?: number | undefined;
  page: number;
  pageSize: number;
  next?: NextCursor | undefined;
}

export interface Template {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  name: string;
  /** The sender; on a verified sending domain. */
  from_email: string;
  from_name: string | null;
  reply_to: string | null;
  description: string | null;
  /** A category, for grouping. */
  type: string | null;
  /** Transactional mail is sent despite unsubscribes. */
  transactional: boolean;
  open_tracking: boolean;
  click_tracking: boolean;
  /** Readable by every business unit; set and changed by owners. Default: false. */
  shared: boolean;
  business_unit: string;
}

/** One of `url` and `asset_id`. */
export interface TemplateAttachment {
  /** Required, save with `asset_id`: the asset's own. */
  name?: string | undefined;
  /** Media type. Required, save with `asset_id`: the asset's own. */
  type?: string | undefined;
  /** http or https; fetched when messages are sent. */
  url?: string | undefined;
  /** An asset of the tenant. */
  asset_id?: string | undefined;
}

export interface TemplateClone {
  template_id: string;
  name: string;
  business_unit?: OwningUnit | undefined;
}

export interface TemplateCloned {
  id: string;
  /** Null when the template had no active version. */
  version_id: string | null;
}

export interface TemplateCreate {
  name: string;
  /** The sender; on a verified sending domain. */
  from_email: string;
  from_name?: string | null | undefined;
  reply_to?: string | null | undefined;
  description?: string | null | undefined;
  type?: string | null | undefined;
  /** Transactional mail is sent despite unsubscribes. */
  transactional: boolean;
  open_tracking?: boolean | undefined;
  click_tracking?: boolean | undefined;
  /** Readable by every business unit; set and changed by owners. Default: false. */
  shared?: boolean | undefined;
  business_unit?: OwningUnit | undefined;
}

export interface TemplatePage {
  results: Template[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface TemplatePatch {
  name?: string | undefined;
  /** The sender; on a verified sending domain. */
  from_email?: string | undefined;
  from_name?: string | null | undefined;
  reply_to?: string | null | undefined;
  description?: string | null | undefined;
  type?: string | null | undefined;
  /** Transactional mail is sent despite unsubscribes. */
  transactional?: boolean | undefined;
  open_tracking?: boolean | undefined;
  click_tracking?: boolean | undefined;
  /** Readable by every business unit; set and changed by owners. Default: false. */
  shared?: boolean | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface TemplatePreview {
  substitution_data?: Record<string, unknown> | undefined;
  content: PreviewContent;
}

export interface TemplateRendered {
  subject: string;
  html: string;
  /** Only when `content.text` was given. */
  text?: string | undefined;
}

export interface TemplateReplace {
  name: string;
  /** The sender; on a verified sending domain. */
  from_email: string;
  from_name?: string | null | undefined;
  reply_to?: string | null | undefined;
  description?: string | null | undefined;
  type?: string | null | undefined;
  /** Transactional mail is sent despite unsubscribes. */
  transactional: boolean;
  open_tracking?: boolean | undefined;
  click_tracking?: boolean | undefined;
  /** Readable by every business unit; set and changed by owners. Default: false. */
  shared?: boolean | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface TemplateSnippet {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** How templates name it: `{{{snippet name}}}`; in quotes when it has other signs than letters, digits, - and _. */
  name: string;
  /** HTML; may use variables and other snippets. */
  content: string;
  description: string | null;
  business_unit: string;
}

export interface TemplateSnippetCreate {
  /** How templates name it: `{{{snippet name}}}`; in quotes when it has other signs than letters, digits, - and _. */
  name: string;
  /** HTML; may use variables and other snippets. */
  content: string;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
}

export interface TemplateSnippetPage {
  results: TemplateSnippet[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface TemplateSnippetPatch {
  /** How templates name it: `{{{snippet name}}}`; in quotes when it has other signs than letters, digits, - and _. */
  name?: string | undefined;
  /** HTML; may use variables and other snippets. */
  content?: string | undefined;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface TemplateSnippetReplace {
  /** How templates name it: `{{{snippet name}}}`; in quotes when it has other signs than letters, digits, - and _. */
  name: string;
  /** HTML; may use variables and other snippets. */
  content: string;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface TemplateVersion {
  id: string;
  template_id: string;
  /** Counts the versions of its template from 1. */
  version: number;
  /** True makes it the only active version of its template. */
  active: boolean;
  subject: string;
  html_content: string;
  plain_content: string | null;
  /** Derive the plain text from the HTML; `plain_content` then shows it. Default: false. */
  generate_plain_content: boolean;
  /** As it was written. */
  template_builder_content: unknown;
  /** As it was written. */
  test_data: unknown;
  /** As it was written. */
  data_fields_schema: unknown;
  attachments: TemplateAttachment[];
  created_at: string;
  updated_at: string;
}

export interface TemplateVersionPage {
  results: TemplateVersion[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface TemplateVersionPatch {
  /** True makes it the only active version of its template. */
  active?: boolean | undefined;
  subject?: string | undefined;
  html_content?: string | undefined;
  plain_content?: string | null | undefined;
  /** Derive the plain text from the HTML; `plain_content` then shows it. Default: false. */
  generate_plain_content?: boolean | undefined;
  template_builder_content?: Record<string, unknown> | null | undefined;
  test_data?: Record<string, unknown> | null | undefined;
  data_fields_schema?: unknown[] | null | undefined;
  attachments?: TemplateAttachment[] | null | undefined;
}

export interface TemplateVersionReplace {
  /** True makes it the only active version of its template. */
  active: boolean;
  subject: string;
  html_content: string;
  plain_content?: string | null | undefined;
  /** Derive the plain text from the HTML; `plain_content` then shows it. Default: false. */
  generate_plain_content?: boolean | undefined;
  template_builder_content?: Record<string, unknown> | null | undefined;
  test_data?: Record<string, unknown> | null | undefined;
  data_fields_schema?: unknown[] | null | undefined;
  attachments?: TemplateAttachment[] | null | undefined;
}

export interface TenantCreate {
  /** Short, unique, forever. */
  code: string;
  name: string;
  owner: TenantOwner;
  brand_settings?: BrandSettingsChange | undefined;
}

export interface TenantCreated {
  tenant_id: string;
  code: string;
  default_business_unit_id: string;
  owner: TenantOwnerId;
  /** The owner's first API key, shown once. */
  api_key: string;
}

export interface TenantInfo {
  tenant_id: string;
  code: string;
  name: string;
}

export interface TenantItem {
  tenant_id: string;
  code: string;
  name: string;
  created_at: string;
  status: "active" | "suspended" | "deleting";
}

export interface TenantItemPage {
  results: TenantItem[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface TenantKey {
  tenant_id: string;
}

export interface TenantOwner {
  email: string;
  name: string;
  /** Only for a user who does not exist yet; ignored otherwise. */
  password: string;
}

export interface TenantOwnerId {
  user_id: string;
}

export interface TenantReset {
  /** The tenant's code again. */
  confirm: string;
}

export interface TenantResetReply {
  tenant_id: string;
  code: string;
}

export interface TenantUpdate {
  name?: string | undefined;
  brand_settings?: BrandSettingsChange | undefined;
  /** While a tenant is suspended nobody gets in, nothing is sent, and its work waits. */
  status?: "active" | "suspended" | undefined;
}

export interface TextBlock {
  type: "text";
  text: string;
}

export interface ThemeForRendering {
  code: string;
  name: string;
  /** As they were written. */
  formBuilderThemeOptions: unknown;
}

export interface ThemeHeader {
  height?: number | undefined;
  inheritWidthFrom?: string | undefined;
  textAreaWidth?: number | undefined;
  logoPositionX?: string | undefined;
  logoPositionY?: string | undefined;
  titlePositionX?: string | undefined;
  titlePositionY?: string | undefined;
  descriptionPositionX?: string | undefined;
  descriptionPositionY?: string | undefined;
  overlapEnabled?: boolean | undefined;
  backgroundImageOpacity?: number | undefined;
}

export interface ThemeOptions {
  themeName?: string | undefined;
  colorPalette?: "light" | "dark" | undefined;
  isPanelless?: boolean | undefined;
  /** URL. */
  backgroundImage?: string | undefined;
  backgroundImageFit?: "auto" | "contain" | "cover" | undefined;
  backgroundImageAttachment?: string | undefined;
  backgroundOpacity?: number | undefined;
  primaryColor?: string | undefined;
  header?: ThemeHeader | undefined;
  /** Values by CSS variable. */
  cssVariables?: Record<string, string> | undefined;
}

export interface Thread {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  assistant_id: string;
  /** Letters, digits, hyphens and underscores. */
  user_id: string;
  /** How the first text begins. */
  name: string;
  business_unit: string;
  messages: Message[];
}

export interface ThreadCreate {
  version: number;
  created_at: string;
  assistant_id: string;
  /** Letters, digits, hyphens and underscores. */
  user_id: string;
  messages: Message[];
}

export interface ThreadReplace {
  version: number;
  /** What is added. A caller who holds the whole thread may send it: when it begins with all messages that the thread has, those that follow are added. */
  messages: Message[];
}

export interface ThreadSummary {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  assistant_id: string;
  /** Letters, digits, hyphens and underscores. */
  user_id: string;
  /** How the first text begins. */
  name: string;
  business_unit: string;
}

export interface ThreadSummaryPage {
  results: ThreadSummary[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

/** Tokens in a calendar month (UTC), after which answers are 429 TOKEN_BUDGET_EXCEEDED. Null: no limit. */
export type TokenBudget = number;

/** JSON Schema of what the tool is called with; further keywords are kept. */
export interface ToolInputSchema {
  type: "object";
  properties: Record<string, unknown>;
  required: string[];
}

export interface ToolResultBlock {
  type: "tool_result";
  /** The id of an earlier tool_use. */
  tool_use_id: string;
  content: TextBlock[];
  is_error?: boolean | undefined;
}

export interface ToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
}

export interface Transmission {
  id: string;
  state: "scheduled" | "generating" | "sending" | "completed" | "cancelled" | "failed";
  scheduled_at: string | null;
  created_at: string;
  description: string | null;
  campaign_id: string | null;
  counts: TransmissionCounts;
}

/** One of `url`, `data` and `asset_id`. */
export interface TransmissionAttachment {
  /** Required, save with `asset_id`: the asset's own. */
  name?: string | undefined;
  /** Media type: `application/pdf`. Required, save with `asset_id`: the asset's own. */
  type?: string | undefined;
  /** Fetched once per transmission, when it is sent; three tries. The public address of an asset is read from the storage. */
  url?: string | undefined;
  /** The file in base64. */
  data?: string | undefined;
  /** An asset of the tenant. */
  asset_id?: string | undefined;
}

export interface TransmissionCancelled {
  id: string;
  state: "cancelled";
}

/** Either `template_id`, or `from`, `subject` and `html`. */
export interface TransmissionContent {
  /** Its version that is active now is sent, also when that is later. */
  template_id?: string | undefined;
  from?: string | TransmissionSender | undefined;
  /** A message whose rendered subject has more than 65,536 characters fails. */
  subject?: string | undefined;
  html?: string | undefined;
  /** Derived from the HTML when absent. */
  text?: string | undefined;
  reply_to?: string | undefined;
  /** Beside those of the template. */
  attachments?: TransmissionAttachment[] | undefined;
}

export interface TransmissionCounts {
  recipients: number;
  /** Not yet handed over, or to be tried again. */
  queued: number;
  /** Handed over, and all that bounced, also those that the relay refused at once. */
  sent: number;
  /** Could not be made or handed over. */
  failed: number;
  suppressed: number;
  /** Accepted by the relay and not bounced since. */
  delivered: number;
  bounced: number;
  /** Recipients who opened; machines not counted. */
  opened: number;
  /** Recipients who clicked; machines not counted. */
  clicked: number;
}

export interface TransmissionCreate {
  options: TransmissionOptions;
  recipients: TransmissionRecipientInput[];
  content: TransmissionContent;
  /** A label of at most 64 bytes. */
  campaign_id?: string | undefined;
  /** Another name of `campaign_id`. */
  campaign_code?: string | undefined;
  /** At most 1024 bytes. */
  description?: string | undefined;
  /** Reaches templates and event webhooks. At most 10 KB of JSON; a template finds it first of four. */
  metadata?: Record<string, unknown> | undefined;
  /** Reaches templates. At most 100 KB of JSON. */
  substitution_data?: Record<string, unknown> | undefined;
  /** Gives the domain and the start of the local part of envelope senders. A domain verified by CNAME. */
  return_path?: string | undefined;
}

export interface TransmissionCreated {
  transactionId: string;
}

export interface TransmissionOptions {
  /** Transactional mail ignores unsubscribes, carries no unsubscribe headers and overtakes other mail. */
  transactional: boolean;
  scheduled_time?: ScheduledTime | undefined;
  /** Default: the template's, else false. */
  open_tracking?: boolean | undefined;
  /** Default: the template's, else false. */
  click_tracking?: boolean | undefined;
  /** The pixel stands at the top instead of the end. Needs open tracking. Default false. */
  initial_open?: boolean | undefined;
  /** Send from the sandbox domain; the sender's own needs no verification. */
  sandbox?: boolean | undefined;
  /** Send to suppressed addresses too. */
  skip_suppression?: boolean | undefined;
  /** Kept with the transmission. */
  ip_pool?: string | undefined;
  /** Move the rules of style elements into style attributes. Default false. */
  inline_css?: boolean | undefined;
  /** false: content is sent as it is. Only with inline content; default true. */
  perform_substitutions?: boolean | undefined;
}

export interface TransmissionPage {
  results: Transmission[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface TransmissionRecipient {
  recipient: string;
  status: "queued" | "sending" | "sent" | "failed" | "suppressed" | "bounced";
  error: string | null;
  /** As in the header X-Tessera-Message. */
  message_id: string;
  sent_at: string | null;
}

export interface TransmissionRecipientInput {
  address: string | RecipientAddress;
  tags?: string[] | undefined;
  /** At most 10 KB of JSON; wins over that of the transmission. */
  metadata?: Record<string, unknown> | undefined;
  /** At most 100 KB of JSON; wins over that of the transmission. */
  substitution_data?: Record<string, unknown> | undefined;
}

export interface TransmissionRecipientPage {
  results: TransmissionRecipient[];
  /** Items that match, on all pages. */
  total: number;
  totalPages: number;
}

export interface TransmissionSender {
  email: string;
  name?: string | undefined;
}

export interface Typography {
  body?: Font | null | undefined;
  heading?: Font | null | undefined;
}

export interface UnitCreate {
  name: string;
  /** Lower-case letters, digits, hyphens, underscores, at most 60; made from the name when absent. */
  slug?: string | undefined;
}

export interface UnitKey {
  bu_id: string;
}

export interface UnitRename {
  name: string;
  version?: LastReadVersion | undefined;
}

export interface UnitRenamePatch {
  name?: string | undefined;
  version?: LastReadVersion | undefined;
}

export interface UpdateSubscriberStep {
  /** Names the step; unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "update_subscriber";
  /** Values by name; texts may hold expressions. */
  additional_fields_data?: Record<string, string | number | boolean> | undefined;
  add_lists?: string[] | undefined;
  remove_lists?: string[] | undefined;
  subscription_updates?: SubscriptionUpdate[] | undefined;
}

export interface VectorIndex {
  /** Lower-case letters, digits and hyphens. */
  name: string;
  /** What it holds, for people and models. */
  contentsDescription: string;
  metadataDefinition: VectorIndexField[];
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface VectorIndexCreate {
  /** Lower-case letters, digits and hyphens. */
  name: string;
  /** What it holds, for people and models. */
  contentsDescription: string;
  metadataDefinition: VectorIndexField[];
  business_unit?: OwningUnit | undefined;
}

export interface VectorIndexDeleted {
  /** Its name. */
  id: string;
  name: string;
}

export interface VectorIndexField {
  fieldName: string;
  fieldType: "string" | "number" | "boolean" | "array";
}

export interface VectorIndexItem {
  id: string;
  input: string;
  /** At most 100,000 characters of JSON. */
  metadata: Record<string, unknown>;
  embedding_error: string | null;
  updated_at: string;
}

export interface VectorIndexItemIds {
  ids: string[];
}

export interface VectorIndexItemInput {
  id: string;
  /** The text that queries find. */
  input: string;
  /** At most 100,000 characters of JSON. */
  metadata: Record<string, unknown>;
}

export interface VectorIndexItemPage {
  results: VectorIndexItem[];
  /** Items that match, on all pages. */
  total: number;
  totalPages: number;
}

export interface VectorIndexItemsDeleted {
  /** How many of them there were. */
  deleted: number;
}

export interface VectorIndexMatch {
  id: string;
  /** Cosine similarity: 1 for a text of the same direction. */
  score: number;
  input: string;
  /** At most 100,000 characters of JSON. */
  metadata: Record<string, unknown>;
}

export interface VectorIndexMatches {
  results: VectorIndexMatch[];
}

export interface VectorIndexPage {
  results: VectorIndex[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface VectorIndexQuery {
  input: string;
  /** 5 unless said. */
  top_k?: number | undefined;
  /** Conditions by metadata field, ANDed: a value, or `{operation, value}`. */
  filter?: Record<string, unknown> | undefined;
}

export interface VectorIndexUpsert {
  data: VectorIndexItemInput[];
}

export interface VectorIndexWithCounts {
  /** Lower-case letters, digits and hyphens. */
  name: string;
  /** What it holds, for people and models. */
  contentsDescription: string;
  metadataDefinition: VectorIndexField[];
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  item_count: number;
  /** Items whose vectors are of another model than the present one: a job recomputes them. */
  pending_count: number;
  /** Items whose text the embeddings provider refused, as `embedding_error` of the item says. */
  failed_count: number;
  embedding_error: string | null;
}

export interface VersionRecord {
  version: number;
  timestamp: string;
  /** The record as its GET showed it, secrets left out. */
  data: unknown;
  actor: Actor | null;
}

export type VersionRecordList = VersionRecord[];

export interface WaitForStep {
  /** Names the step; unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "wait_for";
  event: "open" | "click" | "page_view" | "purchase" | "form_submission";
  /** A send_email step: since its mail, and of it alone. */
  step?: string | undefined;
  form_code?: string | undefined;
  timeout_seconds: number;
  /** The key of a step. */
  on_event?: string | undefined;
  /** The key of a step. */
  on_timeout?: string | undefined;
}

/** Either `seconds`, `until`, or `at` with `timezone`. */
export interface WaitStep {
  /** Names the step; unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "wait";
  seconds?: number | undefined;
  /** An ISO 8601 time. */
  until?: string | undefined;
  /** `HH:mm`, in `timezone`: the next such moment. */
  at?: string | undefined;
  timezone?: string | undefined;
  /** Days that `at` may be on; 1 is Monday. Absent: any. */
  weekdays?: number[] | undefined;
}

export interface Warning {
  field: string;
  message: string;
}

export interface Webhook {
  id: string;
  version: number;
  created_at: string;
  name: string;
  event: WebhookEvent;
  target: WebhookTarget;
  /** An inactive webhook gets no deliveries; waiting ones are dropped. */
  active: boolean;
  /** As it was written. */
  test_data: unknown;
  /** The most recent attempt of any delivery; tests do not count. */
  last_attempt_at: string | null;
  last_attempt_status: "success" | "failed" | null;
}

export interface WebhookCreate {
  name: string;
  event: WebhookEventInput;
  target: WebhookTargetInput;
  secret?: WebhookSecret | undefined;
  signing_secret?: SigningSecret | undefined;
  /** An inactive webhook gets no deliveries; waiting ones are dropped. */
  active?: boolean | undefined;
  /** The JSON body that the test endpoint sends: 100,000 characters at most. */
  test_data?: Record<string, unknown> | undefined;
}

export interface WebhookDelivery {
  /** Sent as Tessera-Delivery-Id with every attempt. */
  id: string;
  submission_id: string;
  status: "pending" | "success" | "failed";
  /** Attempts that have ended. */
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  /** When a pending delivery is attempted next; while an attempt is under way, when it would be taken as lost. */
  next_attempt_at: string | null;
  created_at: string;
}

export interface WebhookDeliveryPage {
  results: WebhookDelivery[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface WebhookEvent {
  event_type: string;
  /** The one form whose submissions are delivered. */
  form_code: string;
}

export interface WebhookEventInput {
  event_type: "form.submission";
  /** The one form whose submissions are delivered. */
  form_code: string;
}

export interface WebhookHeader {
  name: string;
  /** Absent for a secret header. */
  value?: string | undefined;
  is_secret: boolean;
}

export interface WebhookHeaderInput {
  name: string;
  /** On replace, a secret header without a value keeps the stored one. */
  value?: string | undefined;
  /** A secret value is stored encrypted and never read back. Default: as the stored header, else false. */
  is_secret?: boolean | undefined;
}

export interface WebhookPage {
  results: Webhook[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface WebhookPatch {
  name?: string | undefined;
  target?: WebhookTargetInput | undefined;
  secret?: WebhookSecret | undefined;
  signing_secret?: SigningSecret | undefined;
  /** An inactive webhook gets no deliveries; waiting ones are dropped. */
  active?: boolean | undefined;
  /** The JSON body that the test endpoint sends: 100,000 characters at most. */
  test_data?: Record<string, unknown> | undefined;
  version?: LastReadVersion | undefined;
}

export interface WebhookReplace {
  name: string;
  target: WebhookTargetInput;
  secret?: WebhookSecret | undefined;
  signing_secret?: SigningSecret | undefined;
  /** An inactive webhook gets no deliveries; waiting ones are dropped. */
  active?: boolean | undefined;
  /** The JSON body that the test endpoint sends: 100,000 characters at most. */
  test_data?: Record<string, unknown> | undefined;
  version?: LastReadVersion | undefined;
}

/** The same as `signing_secret`, of any length. Give one of them. */
export type WebhookSecret = string | null;

export interface WebhookTarget {
  /** Where deliveries are posted: http or https. */
  url: string;
  headers: WebhookHeader[];
}

export interface WebhookTargetInput {
  /** Where deliveries are posted: http or https. */
  url: string;
  /** Default: none. */
  headers?: WebhookHeaderInput[] | undefined;
}

export interface WebhookTestReply {
  /** Whether the receiver answered with a 2xx status. */
  success: boolean;
  /** Absent when no answer arrived. */
  status_code?: number | undefined;
  /** The first 64 KiB of the answer, secret header values blotted out. */
  response_body?: string | undefined;
  /** Why no answer arrived. */
  error?: string | undefined;
  duration_ms: number;
}

/** One address or one domain; a domain does not stand for those below it. */
export interface WhitelistRule {
  email_address?: string | undefined;
  domain_name?: string | undefined;
  active: boolean;
}

export interface Workflow {
  /** The field that holds the state. */
  field: string;
  initial: string;
  states: string[];
  transitions: WorkflowTransition[];
  /** The field that holds who has taken the record. */
  owner_field?: string | undefined;
}

export interface WorkflowTransition {
  from: string;
  to: string;
}

export interface WrappedError {
  error: WrappedErrorFacts;
  /** Only of a 401. */
  message?: string | undefined;
  /** Only of a 401. */
  code?: string | undefined;
}

export interface WrappedErrorDetail {
  field?: string | undefined;
  message: string;
  /** What no data defines. */
  variable?: string | undefined;
  /** 1-based line in the template. */
  line?: number | undefined;
  /** 1-based column in the template. */
  column?: number | undefined;
}

export interface WrappedErrorFacts {
  code: string;
  message: string;
  details: WrappedErrorDetail[];
  /** On unexpected errors: names the request in the log. */
  request_id?: string | undefined;
}
