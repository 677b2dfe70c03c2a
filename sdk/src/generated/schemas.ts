/** Generated from openapi.json by `npm run sdk`. */

export interface ActionType {
  key: string;
  name: string;
  description: string;
  /** JSON Schema of the parameters. */
  params: unknown;
}

export interface ActionTypeList {
  results: ActionType[];
}

export interface Activation {
  /** Send as header `X-Business-Unit`. */
  token: string;
  bu_id: string;
  expires_at: string;
}

export interface Activity {
  entity_type: EntityTypeName;
  /** The `entitySortKey` of the record. */
  key: string;
  /** Of the record after the change. */
  title: string;
  /** Of the record after the change; of a deleted one, its last. */
  version: number;
  action: "created" | "updated" | "deleted" | "restored";
  actor: Actor | null;
  at: string;
  /** Members that differ from the previous version, without those that the platform sets. Empty for `created` and `deleted`. */
  changed_fields: string[];
}

export interface ActivityPage {
  results: Activity[];
  next: NextCursor;
}

export interface ActivityQuery {
  limit?: PageLimit | undefined;
  after?: ListCursor | undefined;
  filters?: Filters | undefined;
}

/** Author of a version; null if unknown. */
export interface Actor {
  kind: "member" | "operator" | "platform" | "visitor" | "subscriber" | "journey" | "conversation" | "automation";
  /** For members. */
  membership_id?: string | undefined;
  /** For members. */
  user_id?: string | undefined;
  /** Of a member today; absent if the membership was deleted. */
  name?: string | undefined;
  /** Form of a visitor's submission. */
  form_code?: string | undefined;
  /** Subscriber who used a link in a message. */
  subscriber_id?: string | undefined;
  /** Journey that took the step. */
  journey_id?: string | undefined;
  /** Conversation on a page. */
  conversation_id?: string | undefined;
  /** Key of an automation. */
  key?: string | undefined;
  /** Run of an automation. */
  run_id?: string | undefined;
  /** Runs that caused this one. */
  chain?: string[] | undefined;
  /** Length of the chain. */
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

/** For `set_fields`. Strings, numbers or booleans by name; null removes a value. */
export type AdditionalFieldChanges = Record<string, string | number | boolean | null>;

/** Strings, numbers or booleans by name. */
export type AdditionalFieldValues = Record<string, string | number | boolean>;

export interface AiBudget {
  monthly_token_budget: TokenBudget | null;
}

export interface AiBudgetPatch {
  monthly_token_budget?: TokenBudget | null | undefined;
}

export interface AiBudgetState {
  monthly_token_budget: TokenBudget | null;
  /** Input and output tokens this month (UTC). */
  used_tokens: number;
}

export interface AiIndexWriteReply {
  success: boolean;
  /** Absent if all items were written. */
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
  /** First characters of the key. */
  prefix: string;
  membership_id: string;
  created_at: string;
  /** To the minute. */
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface ApiKeyCreate {
  name: string;
  /** Default: the caller's membership. */
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
  /** `/`, or a path such as `/a/b`. */
  folder: string;
  alt: string | null;
  tags: string[];
  mime_type: string;
  /** In bytes. */
  size: number;
  /** For images, as displayed. */
  width: number | null;
  height: number | null;
  /** Hex digest of the content. */
  sha256: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** Public URL. */
  url: string;
}

export interface AssetBulkAction {
  /** `move`: moves them to a folder. `tag`: adds and removes tags. `delete`: deletes them with their files. */
  action: "move" | "tag" | "delete";
  filters?: Filters | undefined;
  /** Only these records. Required unless `filters` is given; `{}` selects all. */
  ids?: string[] | undefined;
  /** All but these. */
  exclude_ids?: string[] | undefined;
  /** Only counts. */
  dry_run?: boolean | undefined;
  /** Required unless `dry_run`: the number that a dry run returned. */
  expected_count?: number | undefined;
  search?: SearchText | undefined;
  /** For `move`. `/`, or a path such as `/a/b`. */
  folder?: string | undefined;
  /** For `tag`. */
  add_tags?: string[] | undefined;
  /** For `tag`. */
  remove_tags?: string[] | undefined;
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
  /** `/`, or a path such as `/a/b`. */
  folder?: string | undefined;
  alt?: string | null | undefined;
  tags?: string[] | undefined;
  version?: LastReadVersion | undefined;
}

export interface AssetReply {
  id: string;
  /** Public URL. */
  url: string;
}

export interface AssetUpload {
  file: Blob;
  /** Without control characters. */
  name?: string | undefined;
  /** `/`, or a path such as `/a/b`. */
  folder?: string | undefined;
  alt?: string | undefined;
  tags?: string[] | undefined;
}

export interface Assistant {
  id: string;
  name: string;
  description: string;
  llmConfiguration: ModelSettings;
  /** Vector indexes searched before each answer. */
  knowledge: AssistantKnowledge[];
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
  /** Vector indexes searched before each answer. */
  knowledge?: AssistantKnowledge[] | undefined;
  monthly_token_budget?: TokenBudget | null | undefined;
  business_unit?: OwningUnit | undefined;
}

export interface AssistantKnowledge {
  /** Name of a vector index. */
  index: string;
  /** Number of texts to use. Default: 5. */
  top_k?: number | undefined;
  /** As in index queries. */
  filter?: Record<string, unknown> | undefined;
}

export interface AssistantPatch {
  name?: string | undefined;
  description?: string | undefined;
  llmConfiguration?: ModelSettings | undefined;
  /** Vector indexes searched before each answer. */
  knowledge?: AssistantKnowledge[] | undefined;
  monthly_token_budget?: TokenBudget | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface AssistantReplace {
  name: string;
  description: string;
  llmConfiguration: ModelSettings;
  /** Vector indexes searched before each answer. */
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

export interface AttentionItem {
  entity_type: "webhook" | "email_event_webhook" | "entity_webhook" | "sending_domain" | "marketing_email" | "automation" | "operation";
  /** Id, address or domain of the item. */
  key: string;
  /** The name; the URL of an `entity_webhook`. */
  title: string;
  /** `error`: something is lost or does not work. `warning`: it soon may. */
  severity: "error" | "warning";
  reason: "deliveries_failed" | "deliveries_retried" | "domain_unverified" | "domain_wrong" | "domain_lost" | "email_not_sent" | "runs_failed" | "operation_failed";
  /** When it began to need attention. */
  since: string;
  count: number | null;
  business_unit: string | null;
}

export interface Audience {
  id: string;
  name: string;
  description: string | null;
  /** Includes inactive subscribers. */
  subscriber_count: number;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** Conditions by field, as in list requests, and `engagement`; all must match. `any` and `none` are lists of such filters: at least one of `any` and none of `none` must match. At most 100 conditions in total. To filter by entity records, copy their values with the action `upsertSubscriber`. */
  filters?: Record<string, unknown> | undefined;
  computation?: AudienceComputation | undefined;
}

/** Progress of computing members; only with `filters`. */
export interface AudienceComputation {
  /** `computing` until all subscribers were checked once. */
  state: "computing" | "current" | "failed";
  /** Conditions that match no subscriber since a field was redefined. */
  problems: AudienceProblem[];
}

export interface AudienceCreate {
  name: string;
  description?: string | null | undefined;
  filters?: Record<string, unknown> | null | undefined;
  business_unit?: OwningUnit | undefined;
}

export interface AudienceExplanation {
  /** True if the subscriber is in the audience. */
  is_member: boolean;
  /** False if the subscriber belongs to another unit: the filters cannot add them. */
  is_of_unit: boolean;
  /** False if the audience has no filters. */
  is_computed: boolean;
  /** In the order of the filters; empty without filters. */
  groups: ExplainedGroup[];
}

export interface AudienceExplanationRequest {
  subscriber_id: string;
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

export interface AudiencePreview {
  /** Includes inactive subscribers. */
  count: number;
  /** False if counting took too long: there are at least `count`. */
  is_exact: boolean;
  /** The newest 5 of them. */
  sample: AudienceSample[];
}

export interface AudiencePreviewRequest {
  /** Conditions by field, as in list requests, and `engagement`; all must match. `any` and `none` are lists of such filters: at least one of `any` and none of `none` must match. At most 100 conditions in total. To filter by entity records, copy their values with the action `upsertSubscriber`. */
  filters: Record<string, unknown>;
  /** Unit of the audience: id, slug or name. Default: as for a create. */
  business_unit?: string | undefined;
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

export interface AudienceSample {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
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
  /** cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; others: empty. */
  triggerParams: Record<string, unknown>;
  actions: AutomationAction[];
  conditionalActions: ConditionalActions[];
  /** Runs once after a run has finally failed. Expressions can also use `run.id`, `run.error` and `failed.action`. */
  on_failure: AutomationAction[];
  /** True if its trigger starts runs. */
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
  /** Texts may contain expressions: `{{trigger.entity.id}}`, `{{trigger.entity.customer.email}}` (a relation), `{{actions.<key>...}}`. */
  params?: Record<string, unknown> | undefined;
}

export interface AutomationActionResult {
  key: string;
  /** Skipped: the condition of its group was false. */
  status: "succeeded" | "failed" | "skipped";
  error: string | null;
  /** Later actions read it as `{{actions.<key>.<path>}}`. */
  result: unknown;
  /** True for actions of `on_failure`, else absent. */
  on_failure?: boolean | undefined;
  /** Parameters with evaluated expressions; null beyond 4,194,304 characters of JSON per response. */
  input: unknown;
}

export interface AutomationCondition {
  /** Each is a rule or a nested condition. */
  rules: (AutomationRule | AutomationCondition)[];
  combinator: "and" | "or";
}

export interface AutomationCreate {
  key: string;
  name: string;
  app: string;
  module?: string | null | undefined;
  entityKey?: string | null | undefined;
  triggerType: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  /** cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; others: empty. */
  triggerParams: Record<string, unknown>;
  actions?: AutomationAction[] | undefined;
  conditionalActions?: ConditionalActions[] | undefined;
  /** Runs once after a run has finally failed. Expressions can also use `run.id`, `run.error` and `failed.action`. */
  on_failure?: AutomationAction[] | undefined;
  /** True if its trigger starts runs. */
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
  /** cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; others: empty. */
  triggerParams?: Record<string, unknown> | undefined;
  actions?: AutomationAction[] | undefined;
  conditionalActions?: ConditionalActions[] | undefined;
  /** Runs once after a run has finally failed. Expressions can also use `run.id`, `run.error` and `failed.action`. */
  on_failure?: AutomationAction[] | undefined;
  /** True if its trigger starts runs. */
  active?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface AutomationReplace {
  name: string;
  app: string;
  module?: string | null | undefined;
  entityKey?: string | null | undefined;
  triggerType: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  /** cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; others: empty. */
  triggerParams: Record<string, unknown>;
  actions?: AutomationAction[] | undefined;
  conditionalActions?: ConditionalActions[] | undefined;
  /** Runs once after a run has finally failed. Expressions can also use `run.id`, `run.error` and `failed.action`. */
  on_failure?: AutomationAction[] | undefined;
  /** True if its trigger starts runs. */
  active?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface AutomationRule {
  /** A field of the triggering record, a path or an expression. */
  field?: string | undefined;
  /** Default: equals. */
  operator?: "equals" | "notEquals" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "isNull" | "isNotNull" | "matches" | undefined;
  value?: unknown | undefined;
}

export interface AutomationRun {
  run_id: string;
  status: "queued" | "running" | "succeeded" | "failed" | "skipped";
  trigger_type: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  started_at: string | null;
  finished_at: string | null;
  error: string | null;
  actions: AutomationRunAction[];
  created_at: string;
  automation_key: string | null;
  /** Version of the automation that the run executes. */
  automation_version: number;
  /** Finished attempts. */
  attempts: number;
}

export interface AutomationRunAction {
  key: string;
  /** Skipped: the condition of its group was false. */
  status: "succeeded" | "failed" | "skipped";
  error: string | null;
  /** Later actions read it as `{{actions.<key>.<path>}}`. */
  result: unknown;
  /** True for actions of `on_failure`, else absent. */
  on_failure?: boolean | undefined;
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
  /** Version of the automation that the run executes. */
  automation_version: number;
  /** Finished attempts. */
  attempts: number;
  /** Trigger data as expressions read it; null once it is deleted after the run. */
  trigger: unknown;
  /** Size of the original `trigger` in bytes; 0 if unknown. */
  input_bytes: number;
  /** Causes of this run, first to last: keys of automations, `webhook <id>`, `journey <id>`. */
  chain: string[];
}

export interface AutomationTest {
  status: "succeeded" | "failed";
  error: string | null;
  actions: AutomationActionResult[];
}

export interface AutomationTrigger {
  /** Value of `trigger` in expressions, such as `{"entity": {"id": …}}`. */
  trigger?: Record<string, unknown> | undefined;
}

export interface AutomationWithFigures {
  key: string;
  name: string;
  app: string;
  module: string | null;
  entityKey: string | null;
  triggerType: "afterCreate" | "afterUpdate" | "afterDelete" | "afterWorkflowMove" | "afterWorflowOwnershipTaken" | "cronJob" | "webhook" | "mqHandler";
  /** cronJob: `cronExpression`, `timezone?`, `timeoutMs?`; mqHandler: `queueName`, `timeoutMs?`; webhook: `path?`, `method?`; others: empty. */
  triggerParams: Record<string, unknown>;
  actions: AutomationAction[];
  conditionalActions: ConditionalActions[];
  /** Runs once after a run has finally failed. Expressions can also use `run.id`, `run.error` and `failed.action`. */
  on_failure: AutomationAction[];
  /** True if its trigger starts runs. */
  active: boolean;
  version: number;
  created_at: string;
  updated_at: string;
  /** For webhook triggers: the URL to call, with its secret token. Only for owners. */
  webhook_url?: string | undefined;
}

export interface AvailableSubscriptionType {
  id: string;
  name: string;
  description: string;
}

export interface BranchStep {
  /** Unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "branch";
  /** Filters of the subscriber list, plus `engagement`, `any` and `none` as in audiences; at most 100 conditions. */
  filters: Record<string, unknown>;
  /** Key of a step. */
  then?: string | undefined;
  /** Key of a step. */
  else?: string | undefined;
}

export interface BrandSettings {
  logo_url: string;
  primary_color: string;
  /** Language tag for recipients of unknown language. Default: English. */
  locale?: string | undefined;
}

export interface BrandSettingsChange {
  logo_url?: string | undefined;
  primary_color?: string | undefined;
  /** Language tag for recipients of unknown language. Default: English. */
  locale?: string | undefined;
}

export interface BrowserSession {
  id: string;
  is_current: boolean;
  created_at: string;
  last_seen_at: string;
  /** At sign-in. */
  ip_address: string;
  user_agent: string | null;
}

export interface BrowserSessions {
  results: BrowserSession[];
}

export interface BrowserSignIn {
  email: string;
  password: string;
  /** True: the session lasts 30 days. */
  remember?: boolean | undefined;
}

export interface BulkReply {
  /** Selected records. */
  count: number;
  /** With `dry_run`. */
  skipped?: SkippedRecords[] | undefined;
  /** With `dry_run`: the first five. */
  sample?: SelectedRecord[] | undefined;
  /** Without `dry_run`. */
  operation_id?: string | undefined;
}

export interface BusinessUnit {
  bu_id: string;
  name: string;
  slug: string;
  is_default: boolean;
}

export interface Campaign {
  id: string;
  /** Used in paths and links (`utm_campaign`). */
  code: string;
  name: string;
  /** Calendar colour, such as `#0f766e`. */
  colour: string;
  business_unit: string;
  /** ISO 8601 date or time, stored as sent. */
  start_date: string;
  end_date: string | null;
  goal: string | null;
  /** Target audience, in words. */
  audience: string;
  /** Name of the audience if `audience` is its id, else `audience`. */
  audience_name: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface CampaignCreate {
  /** Used in paths and links (`utm_campaign`). */
  code: string;
  name: string;
  /** Calendar colour, such as `#0f766e`. */
  colour: string;
  /** ISO 8601 date or time, stored as sent. */
  start_date: string;
  end_date?: string | null | undefined;
  goal?: string | null | undefined;
  /** Target audience, in words. */
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
  /** Default: the template's. */
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
  /** Default: the template's. */
  subject: string;
  target_subscribers_count: number | null;
  status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  /** Planned or actual send time: ISO 8601 date or time. */
  sent_date: string | null;
  /** On a verified domain. Default: the template's. */
  from_email: string | null;
  from_name: string | null;
  list_ids: string[];
  audience_ids: string[];
  subscription_type_id: string | null;
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
  /** Messages that could not be rendered. */
  failed: number;
  /** Only when reading one email. */
  open_rate?: number | undefined;
  /** Only when reading one email. */
  click_rate?: number | undefined;
  /** Only when reading one email. */
  unsubscribe_rate?: number | undefined;
}

export interface CampaignEmailPatch {
  name?: string | undefined;
  description?: string | null | undefined;
  /** Default: the template's. */
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

export interface CampaignEmailRecipient {
  recipient: string;
  /** The first 100. */
  messages: RecipientHistoryMessage[];
  /** Why this subscriber got no message. */
  not_addressed?: "not_sent" | "not_in_groups" | "inactive" | "unsubscribed" | "came_later" | undefined;
}

export interface CampaignEmailReplace {
  name: string;
  description?: string | null | undefined;
  /** Default: the template's. */
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
  /** Messages to retry. */
  recipients: number;
}

export interface CampaignEmailStatusChange {
  id: string;
  status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  previous_status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  updated_at: string;
}

export interface CampaignEmailTest {
  /** Email addresses. */
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
  /** Default: the template's. */
  subject: string;
  target_subscribers_count: number | null;
  status: "Draft" | "Ready" | "Scheduled" | "Sending" | "Sent" | "Cancelled";
  /** Planned or actual send time: ISO 8601 date or time. */
  sent_date: string | null;
  content: CampaignEmailContent;
  /** On a verified domain. Default: the template's. */
  from_email: string | null;
  from_name: string | null;
  list_ids: string[];
  audience_ids: string[];
  subscription_type_id: string | null;
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
  /** Messages handed to the relay. */
  total_emails_sent: number;
  /** Subscribers with a delivered message. */
  total_subscribers_reached: number;
  /** 0 to 1. */
  average_open_rate: number;
  /** 0 to 1. */
  average_click_rate: number;
  /** Subscribers with a purchase. */
  total_conversions: number;
  /** Sum of purchase amounts. */
  revenue_generated: number;
}

export interface CampaignPatch {
  name?: string | undefined;
  /** Calendar colour, such as `#0f766e`. */
  colour?: string | undefined;
  /** ISO 8601 date or time, stored as sent. */
  start_date?: string | undefined;
  end_date?: string | null | undefined;
  goal?: string | null | undefined;
  /** Target audience, in words. */
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
  /** By field (name, business_unit, start_date, end_date, audience), ANDed: `{equals|ne|like|gt|gte|lt|lte|in|nin|between: value, ...}` or `{operation, value}`. */
  filters?: Record<string, unknown> | undefined;
}

export interface CampaignReplace {
  name: string;
  /** Calendar colour, such as `#0f766e`. */
  colour: string;
  /** ISO 8601 date or time, stored as sent. */
  start_date: string;
  end_date?: string | null | undefined;
  goal?: string | null | undefined;
  /** Target audience, in words. */
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
  /** Used in paths and links (`utm_campaign`). */
  code: string;
  name: string;
  /** Calendar colour, such as `#0f766e`. */
  colour: string;
  business_unit: string;
  /** ISO 8601 date or time, stored as sent. */
  start_date: string;
  end_date: string | null;
  goal: string | null;
  /** Target audience, in words. */
  audience: string;
  /** Name of the audience if `audience` is its id, else `audience`. */
  audience_name: string;
  version: number;
  created_at: string;
  updated_at: string;
  metrics: CampaignMetrics;
}

export interface Challenge {
  /** Send back unchanged. */
  token: string;
  seed: string;
  /** Find a decimal number for which the SHA-256 of `<seed>.<number>` starts with this many zero bits. */
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
  /** Number of recipients who clicked. */
  total_unique_clicks: number;
}

export interface CodeReply {
  code: string;
}

export interface CodeReplyWithWarnings {
  code: string;
  /** Absent if there are none. */
  warnings?: Warning[] | undefined;
}

export interface ConditionalActions {
  condition: AutomationCondition;
  actions: AutomationAction[];
}

export interface Confirmation {
  password: string;
}

export interface Confirmed {
  confirmed_until: string;
}

export interface ConversationImageBlock {
  type: "image";
  source: ConversationImageSource;
}

export interface ConversationImageSource {
  type: "base64";
  /** For example image/png. */
  media_type: string;
  /** Base64, at most 5 MiB. */
  data: string;
}

export interface ConversationMessage {
  role: "user";
  /** At most 20,000 characters of text and 5 images (5 MiB in total). */
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
  /** Secret: it authorises the conversation. */
  token: string;
}

export interface DeletedItem {
  entity_type: EntityTypeName;
  key: string;
  title: string;
  deleted_at: string;
  actor: Actor | null;
  /** False for kinds that are never restored. */
  is_restorable: boolean;
}

export interface DeletedItemPage {
  results: DeletedItem[];
  /** Matching items on all pages. */
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
  /** `<tenant_code>#<entity_type>#DELETED`; `#UPDATED` for a version. */
  pk: string;
  /** `<entity_sort_key>`, with `#VERSION-<n>` for a version. */
  sk: string;
  entity: unknown;
  timestamp: string;
}

export type DeletedRecordList = DeletedRecord[];

export interface Delivery {
  /** Sent as header Tessera-Delivery-Id. */
  id: string;
  /** Webhook of a form, event webhook of email, or webhook of record changes. */
  kind: "form" | "email_event" | "record";
  webhook_id: string;
  webhook_name: string | null;
  business_unit: string | null;
  /** Id of the submission, event or change that is delivered. */
  subject_id: string;
  status: "pending" | "success" | "failed";
  /** Finished attempts since the delivery was last started. */
  attempt_count: number;
  status_code: number | null;
  error: string | null;
  next_attempt_at: string | null;
  created_at: string;
}

export interface DeliveryAttempt {
  /** Number among the attempts, from 1. */
  n: number;
  started_at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  blocked_by: "outbound_policy" | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
}

export interface DeliveryDetail {
  /** Sent as header Tessera-Delivery-Id. */
  id: string;
  /** Webhook of a form, event webhook of email, or webhook of record changes. */
  kind: "form" | "email_event" | "record";
  webhook_id: string;
  webhook_name: string | null;
  business_unit: string | null;
  /** Id of the submission, event or change that is delivered. */
  subject_id: string;
  status: "pending" | "success" | "failed";
  /** Finished attempts since the delivery was last started. */
  attempt_count: number;
  status_code: number | null;
  error: string | null;
  next_attempt_at: string | null;
  created_at: string;
  request: DeliveryRequest | null;
  /** Of the last 30 days, oldest first. */
  attempts: DeliveryAttempt[];
}

export interface DeliveryListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  filters?: Filters | undefined;
}

export interface DeliveryPage {
  results: Delivery[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

/** What an attempt would send now, with the current target; secrets and signatures are `[secret]`. Null if nothing would be sent: the webhook is paused or deleted, or what it delivers was deleted. */
export interface DeliveryRequest {
  url: string;
  headers: Record<string, string>;
  /** JSON text; at most 64 KiB. */
  body: string;
}

export interface DnsRecord {
  type: "TXT" | "CNAME" | "MX";
  /** Fully qualified, without trailing dot. */
  name: string;
  /** Split TXT values over 255 characters into several strings. */
  value: string;
  purpose: string;
  /** Values that the check found in its place, at most 10. Only in the response to the check, and only if the DNS answered. */
  found?: string[] | undefined;
}

export interface Document {
  /** Chosen by the caller. */
  id: string;
  /** Lookup key for websites; unique within the model. */
  uid: string;
  /** Display name. */
  name: string;
  /** Document model of the project. */
  document_model_id: string;
  status: "draft" | "live" | "archived";
  /** JSON as a string, stored and returned verbatim. */
  data: string;
  /** Null unless created by a user. */
  created_by_id: string | null;
  /** Null unless created by a user. */
  updated_by_id: string | null;
  project_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface DocumentBulkAction {
  /** `set_status`: sets their status. `delete`: deletes them. */
  action: "set_status" | "delete";
  filters?: Filters | undefined;
  /** Only these records. Required unless `filters` is given; `{}` selects all. */
  ids?: string[] | undefined;
  /** All but these. */
  exclude_ids?: string[] | undefined;
  /** Only counts. */
  dry_run?: boolean | undefined;
  /** Required unless `dry_run`: the number that a dry run returned. */
  expected_count?: number | undefined;
  search?: SearchText | undefined;
  /** For `set_status`. */
  status?: "draft" | "live" | "archived" | undefined;
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
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`; unique in the project. */
  id: string;
  /** Display name. */
  label: string;
  format: "page" | "custom";
  /** True if the model may have several documents. */
  repeatable: boolean;
  /** True if active. */
  status: boolean;
  metadata: DocumentModelMetadata;
  /** Field definitions by group (commonly `Main`), then field: `{type, config}`. Stored verbatim; at most 1 MiB. */
  json: Record<string, Record<string, unknown>>;
  project_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface DocumentModelMetadata {
  /** False: not offered as link target. Default: true. */
  linkable?: boolean | undefined;
}

export interface DocumentModelPatch {
  /** Display name. */
  label?: string | undefined;
  format?: "page" | "custom" | undefined;
  /** True if the model may have several documents. */
  repeatable?: boolean | undefined;
  /** True if active. */
  status?: boolean | undefined;
  metadata?: DocumentModelMetadata | undefined;
  /** Field definitions by group (commonly `Main`), then field: `{type, config}`. Stored verbatim; at most 1 MiB. */
  json?: Record<string, Record<string, unknown>> | undefined;
  version?: LastReadVersion | undefined;
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`; unique in the project. */
  id: string;
}

export interface DocumentModelPut {
  /** Display name. */
  label: string;
  format: "page" | "custom";
  /** True if the model may have several documents. */
  repeatable: boolean;
  /** True if active. */
  status: boolean;
  metadata?: DocumentModelMetadata | undefined;
  /** Field definitions by group (commonly `Main`), then field: `{type, config}`. Stored verbatim; at most 1 MiB. */
  json: Record<string, Record<string, unknown>>;
  version?: LastReadVersion | undefined;
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`; unique in the project. */
  id: string;
}

export interface DocumentModelSummary {
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`; unique in the project. */
  id: string;
  /** Display name. */
  label: string;
  format: "page" | "custom";
  /** True if the model may have several documents. */
  repeatable: boolean;
  /** True if active. */
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
  /** Lookup key for websites; unique within the model. */
  uid?: string | undefined;
  /** Display name. */
  name?: string | undefined;
  /** Document model of the project. */
  document_model_id?: string | undefined;
  status?: "draft" | "live" | "archived" | undefined;
  /** JSON as a string, stored and returned verbatim. */
  data?: string | undefined;
  version?: LastReadVersion | undefined;
}

export interface DocumentReplace {
  /** Lookup key for websites; unique within the model. */
  uid: string;
  /** Display name. */
  name: string;
  /** Document model of the project. */
  document_model_id: string;
  status: "draft" | "live" | "archived";
  /** JSON as a string, stored and returned verbatim. */
  data: string;
  version?: LastReadVersion | undefined;
}

export interface DocumentSearch {
  search: SearchText;
  /** Only documents of these models. Default: all. */
  document_model_ids?: string[] | undefined;
  /** Default: 20. */
  limit?: number | undefined;
}

export interface DomainCreate {
  /** Domain name, in Unicode or Punycode. */
  domain: string;
}

export interface DomainReply {
  domain: string;
}

/** `pending` until the record was found. */
export interface DomainStatus {
  /** The DKIM record has the signing key. */
  dkim_status: "pending" | "valid" | "invalid";
  /** The only SPF record includes this installation. */
  spf_status: "pending" | "valid" | "invalid";
  /** The CNAME for bounces points to this installation. */
  cname_status: "pending" | "valid" | "invalid";
  /** The domain has MX records. */
  mx_status: "pending" | "valid" | "invalid";
  /** The domain or its parent has a DMARC policy. */
  dmarc_status: "pending" | "valid" | "invalid";
  /** DKIM, SPF and DMARC together, as large mailbox providers require. */
  compliance_status: "pending" | "valid" | "invalid";
  /** Mail to abuse@ is read; set by an operator. */
  abuse_at_status: "pending" | "valid" | "invalid";
  /** Mail to postmaster@ is read; set by an operator. */
  postmaster_at_status: "pending" | "valid" | "invalid";
  /** A mailbox of the domain responds; set by an operator. */
  verification_mailbox_status: "pending" | "valid" | "invalid";
  /** True if the domain may send: its DKIM record is valid, or an operator vouches for it. */
  ownership_verified: boolean;
}

export interface DomainVouch {
  domain: string;
  /** True: the operator vouches for the domain. False: resets all checks. */
  verified: boolean;
}

export interface Draft {
  entity_type: string;
  key: string;
  author: DraftAuthor;
  is_own: boolean;
  base_version: number | null;
  shared: boolean;
  saved_at: string;
  data: Record<string, unknown>;
}

export interface DraftAuthor {
  membership_id: string;
  name: string;
}

export interface DraftBody {
  /** Version of the item that the changes began with. */
  base_version?: number | null | undefined;
  /** The unsaved item, stored verbatim. It is not checked, so it must not have secrets. */
  data: Record<string, unknown>;
  /** True: members who can see the item see the draft. */
  shared?: boolean | undefined;
}

export interface DraftRemoved {
  success: boolean;
}

export interface DraftSaved {
  saved_at: string;
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

export interface EmailMetricsQuery {
  marketing_email_ids: string[];
}

export interface EmailSettings {
  /** 0 before the first write. */
  version: number;
  created_at: string;
  updated_at: string;
  sender_identities: SenderIdentity[];
  whitelist_recipient_rules: WhitelistRule[];
  subscription_types: SubscriptionType[];
  subscriber_additional_fields: Record<string, AdditionalField>;
  /** True: send only to whitelisted recipients. */
  sandbox_mode: boolean;
  sending_domains: SendingDomainItem[];
  event_webhooks: EventWebhook[];
}

export interface EmailSettingsPatch {
  sender_identities?: SenderIdentity[] | undefined;
  whitelist_recipient_rules?: WhitelistRule[] | undefined;
  subscription_types?: SubscriptionType[] | undefined;
  subscriber_additional_fields?: Record<string, AdditionalField> | undefined;
  /** True: send only to whitelisted recipients. */
  sandbox_mode?: boolean | undefined;
  event_webhooks?: EventWebhookReplace[] | undefined;
  version?: LastReadVersion | undefined;
}

export interface EmailSettingsReplace {
  sender_identities: SenderIdentity[];
  whitelist_recipient_rules: WhitelistRule[];
  subscription_types: SubscriptionType[];
  subscriber_additional_fields: Record<string, AdditionalField>;
  /** True: send only to whitelisted recipients. */
  sandbox_mode?: boolean | undefined;
  event_webhooks?: EventWebhookReplace[] | undefined;
  version?: LastReadVersion | undefined;
}

export interface EmbedSubmission {
  /** Email address. */
  email_address: string;
  /** Answers by question. */
  form_data: Record<string, unknown>;
  /** The visitor's IANA time zone. */
  time_zone?: string | undefined;
  /** Honeypot: must be empty. */
  website?: unknown | undefined;
}

export interface EmbedSubmitted {
  submission_id: string;
  actions: PostSubmitAction[];
}

export interface EngageBody {
  /** Identifies the user or topic; stored as `user_id` of new threads. */
  key: string;
  /** Any JSON, passed to the model with each message. In an object, `assistant_id` selects the assistant (default: the only one named `key`, else the only one) and `thread_id` the thread to continue. */
  payload: unknown;
}

export interface EngagementCampaign {
  send_date: string | null;
  subscription_type: string | null;
  subject_line: string;
}

export interface Entity {
  /** Used in paths; cannot change. */
  name: string;
  /** Display name. */
  label: string | null;
  /** Default: `tenant`. Cannot change. */
  owned_by: "tenant" | "business_unit";
  /** In display order. */
  fields: EntityField[];
  workflow: Workflow | null;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface EntityCreate {
  /** Used in paths; cannot change. */
  name: string;
  label?: string | null | undefined;
  /** Default: `tenant`. Cannot change. */
  owned_by?: "tenant" | "business_unit" | undefined;
  /** In display order. */
  fields: EntityField[];
  workflow?: Workflow | null | undefined;
}

export interface EntityError {
  error: "bad_request" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "rate_limited" | "internal_error" | "service_unavailable";
  message: string;
  /** For 401; `TENANT_SUSPENDED` for 403. */
  code?: string | undefined;
  /** For 400 and 409: each invalid field. For 422: each violated rule. */
  errors?: EntityErrorIssue[] | string[] | undefined;
  /** For 429 and 503: seconds to wait. */
  retry_after?: number | undefined;
  /** For unexpected errors: id of the request in the log. */
  request_id?: string | undefined;
}

export interface EntityErrorIssue {
  field: string;
  message: string;
}

export interface EntityField {
  /** A changed name makes a new field. */
  name: string;
  type: "string" | "text" | "integer" | "number" | "boolean" | "date" | "datetime" | "json" | "uuid" | "enum" | "relation";
  /** Display name. */
  label?: string | undefined;
  /** Every record must have a value. */
  required?: boolean | undefined;
  /** Values must be unique. */
  unique?: boolean | undefined;
  /** Creates an index for filters. */
  indexed?: boolean | undefined;
  /** Included in `search`. */
  searchable?: boolean | undefined;
  /** Value of records created without one. */
  default?: unknown | undefined;
  /** Choices, for type `enum`. */
  enum?: string[] | undefined;
  /** Minimum value, or length of a text. */
  min?: number | undefined;
  /** Maximum value, or length of a text. */
  max?: number | undefined;
  /** RE2 expression that texts must match. */
  pattern?: string | undefined;
  relation?: EntityRelation | undefined;
}

export interface EntityList {
  results: Entity[];
}

export interface EntityPatch {
  label?: string | null | undefined;
  /** In display order. */
  fields?: EntityField[] | undefined;
  workflow?: Workflow | null | undefined;
  version?: LastReadVersion | undefined;
  /** Names of fields, or `workflow`, whose values may be deleted. */
  drop?: string[] | undefined;
}

/** `id`, the fields of the entity, `_created_at`, `_updated_at`, `_created_by` and `_updated_by`. `GET /api/openapi.json` describes the tenant's entities in full. */
export type EntityRecord = unknown;

export interface EntityRecordPage {
  data: EntityRecord[];
  pagination: Pagination;
}

/** Fields of the entity. Unknown and read-only fields are ignored. */
export type EntityRecordValues = Record<string, unknown>;

export interface EntityRelation {
  /** The related entity. */
  entity: string;
  /** `belongs_to` refers to one record, stored as `<name>_id`; `has_many` is the inverse. */
  kind: "belongs_to" | "has_many";
  /** For `has_many`: the field of the other entity that refers to this one. */
  field?: string | undefined;
}

export interface EntityReplace {
  label?: string | null | undefined;
  /** In display order. */
  fields: EntityField[];
  workflow?: Workflow | null | undefined;
  version?: LastReadVersion | undefined;
  /** Names of fields, or `workflow`, whose values may be deleted. */
  drop?: string[] | undefined;
}

/** Id, code or key in the record's path; `<project_id>#<id>` inside projects, or the id alone if it is unambiguous. */
export type EntitySortKey = string;

/** Type of record. */
export type EntityTypeName = "ai_assistant" | "ai_thread" | "ai_vector_index" | "business_unit" | "tenant_membership" | "business_unit_grant" | "email_settings" | "email_template" | "email_template_snippet" | "form" | "form_theme" | "form_submission" | "marketing_audience" | "marketing_list" | "marketing_campaign" | "marketing_email" | "marketing_email_sending_job" | "marketing_subscriber" | "pages_document_model" | "pages_slice_model" | "pages_document" | "pages_project_metadata" | "pages_url_redirect" | "pages_site_settings" | "user_journey" | "user_journey_state" | "webhook" | "entity" | "automation";

export interface EntityWebhook {
  id: string;
  url: string;
  events: string[];
}

export interface EntityWebhookCreate {
  /** Target of deliveries: http or https. */
  url: string;
  /** `<entity>.created`, `<entity>.updated` or `<entity>.deleted`. */
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
  /** For 401 only. */
  error?: string | undefined;
  issues?: ErrorIssue[] | undefined;
  /** For unexpected errors: id of the request in the log. */
  request_id?: string | undefined;
}

export interface ErrorIssue {
  field?: string | undefined;
  message: string;
  /** The conflicting record. */
  id?: string | undefined;
}

export interface EventTrigger {
  type: "event";
  event_type: "open" | "click" | "page_view" | "purchase";
  /** Only events of this campaign email. Default: any. */
  marketing_email_id?: string | undefined;
}

export interface EventWebhook {
  /** Unique. */
  name: string;
  /** Target of events: http or https. */
  target: string;
  events: ("delivery" | "bounce" | "complaint" | "open" | "click" | "unsubscribe")[];
  /** Inactive webhooks receive nothing. */
  active: boolean;
  /** Last successful delivery. */
  last_successful: string | null;
  /** Last failed attempt. */
  last_failure: string | null;
}

export interface EventWebhookReplace {
  /** Unique. */
  name: string;
  /** Target of events: http or https. */
  target: string;
  events: ("delivery" | "bounce" | "complaint" | "open" | "click" | "unsubscribe")[];
  /** Inactive webhooks receive nothing. */
  active: boolean;
  secret?: WebhookSecret | undefined;
  signing_secret?: SigningSecret | undefined;
}

export interface ExitStep {
  /** Unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "exit";
}

export interface ExplainedCondition {
  /** Field of the condition, or `engagement`. */
  field: string;
  /** As in the filters. */
  condition: unknown;
  /** The subscriber's value; null for `engagement`. */
  value: unknown;
  met: boolean;
  /** Why no subscriber can meet the condition since its field was defined otherwise. */
  problem: string | null;
}

export interface ExplainedGroup {
  /** All conditions of `all` must be met, those of one `any`, and not all of any `none`. */
  group: "all" | "any" | "none";
  /** `filters`, or the item: `filters.any[0]`. */
  path: string;
  /** True if the subscriber meets all conditions of the group. */
  met: boolean;
  conditions: ExplainedCondition[];
}

/** Conditions by field, ANDed, with the operations in `x-filters`: `{operation, value}` or operations with values: `{"gte": 1, "lt": 5}`. At most 50 conditions. */
export type Filters = Record<string, unknown>;

export interface Font {
  source?: string | null | undefined;
  family?: string | null | undefined;
  googleFamily?: string | null | undefined;
}

export interface Form {
  code: string;
  /** Identifies the form in embeds. */
  public_code: string;
  name: string;
  /** Origins that may embed the form; `*`: all. */
  allowed_origins: string[];
  active: boolean;
  form_type: "embedded_form";
  /** SurveyJS JSON: `pages` with `elements`. Stored verbatim. */
  formBuilderOptions: Record<string, unknown>;
  theme_code: string | null;
  email_question: string | null;
  post_submit_actions: PostSubmitAction[];
  subscriber_mapping: SubscriberMapping | null;
  challenge: FormChallenge;
  notify: FormNotification | null;
  retention_days: RetentionDays | null;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Require a solved challenge for embedded submissions. Default: false. */
export type FormChallenge = boolean;

export interface FormCreate {
  name: string;
  /** Origins that may embed the form; `*`: all. */
  allowed_origins: string[];
  active: boolean;
  form_type: "embedded_form";
  /** SurveyJS JSON: `pages` with `elements`. Stored verbatim. */
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
  /** SurveyJS JSON: `pages` with `elements`. Stored verbatim. */
  formBuilderOptions: Record<string, unknown>;
}

export interface FormListItem {
  code: string;
  /** Identifies the form in embeds. */
  public_code: string;
  name: string;
  /** Origins that may embed the form; `*`: all. */
  allowed_origins: string[];
  active: boolean;
  form_type: "embedded_form";
  /** SurveyJS JSON: `pages` with `elements`. Stored verbatim. */
  formBuilderOptions: Record<string, unknown>;
  theme_code: string | null;
  email_question: string | null;
  post_submit_actions: PostSubmitAction[];
  subscriber_mapping: SubscriberMapping | null;
  challenge: FormChallenge;
  notify: FormNotification | null;
  retention_days: RetentionDays | null;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  submission_count: number;
  /** Submissions per view; 0 without views. */
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

/** Mails the answers of each submission to these addresses, from the tenant's default sender. */
export interface FormNotification {
  emails: string[];
  /** Send replies to the submitted address. Default: false. */
  reply_to_respondent?: boolean | undefined;
}

export interface FormPatch {
  name?: string | undefined;
  /** Origins that may embed the form; `*`: all. */
  allowed_origins?: string[] | undefined;
  active?: boolean | undefined;
  form_type?: "embedded_form" | undefined;
  /** SurveyJS JSON: `pages` with `elements`. Stored verbatim. */
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
  /** Origins that may embed the form; `*`: all. */
  allowed_origins: string[];
  active: boolean;
  form_type: "embedded_form";
  /** SurveyJS JSON: `pages` with `elements`. Stored verbatim. */
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
  /** Answers by question. */
  form_data: Record<string, unknown>;
  subscriber_created: boolean;
  journey_triggered: boolean;
  ip_address: string | null;
  user_agent: string | null;
  events: SubmissionEvent[];
}

export interface FormSubmissionBulkAction {
  /** `delete`: deletes them and drops their pending deliveries. `redeliver`: delivers them again to the active webhooks of their forms. */
  action: "delete" | "redeliver";
  filters?: Filters | undefined;
  /** Only these records. Required unless `filters` is given; `{}` selects all. */
  ids?: string[] | undefined;
  /** All but these. */
  exclude_ids?: string[] | undefined;
  /** Only counts. */
  dry_run?: boolean | undefined;
  /** Required unless `dry_run`: the number that a dry run returned. */
  expected_count?: number | undefined;
}

export interface FormSubmissionCreate {
  form_code: string;
  /** Email address. */
  email_address: string;
  /** Answers by question. */
  form_data: Record<string, unknown>;
  /** The visitor's IANA time zone, for `today()`. */
  time_zone?: string | undefined;
}

export interface FormSubmissionErasure {
  /** The submitted address. */
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
  /** Number of erased submissions. */
  erased: number;
}

export interface FormTheme {
  code: string;
  name: string;
  formBuilderThemeOptions: ThemeOptions;
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
  /** `viewer`: read; `editor`: also write; `admin`: also delete. */
  role: "viewer" | "editor" | "admin";
  created_at: string;
}

export interface GrantInput {
  bu_id: string;
  /** `viewer`: read; `editor`: also write; `admin`: also delete. */
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
  /** Unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "http_request";
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  /** http or https. */
  url: string;
  /** `{value, is_secret: true}` is stored encrypted and never returned. */
  headers?: Record<string, string | SecretHeader> | undefined;
  /** Strings are sent as they are, other values as JSON. */
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
  /** For example image/png. */
  media_type: string;
  /** Base64, at most 5 MiB. */
  data: string;
}

export interface ImportReply {
  import_id: string;
}

export interface InvitationAcceptance {
  name?: string | undefined;
  /** Required if `needs_password`; else ignored, as is `name`. */
  password?: string | undefined;
}

export interface InvitationInfo {
  /** Name of the tenant. */
  tenant: string;
  email: string;
  /** True if the user must set a password. */
  needs_password: boolean;
}

export interface InvitationSent {
  expires_at: string;
}

/** Present until the user accepts; the membership is inactive until then. */
export interface InvitationTimes {
  sent_at: string;
  expires_at: string;
}

export interface Journey {
  id: string;
  name: string;
  /** False: no subscriber enters, and states wait at their step. */
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
  /** False: no subscriber enters, and states wait at their step. */
  active: boolean;
  trigger: JourneyTrigger;
  steps: JourneyStep[];
  re_entry?: ReEntry | undefined;
  business_unit?: OwningUnit | undefined;
}

/** Exactly one of the two. */
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
  /** `sent`, `skipped`, `failed`, `waited`, `event`, `timeout`, `then`, `else`, `done`, `exited`; for a split the key of the next step. */
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
  /** False: no subscriber enters, and states wait at their step. */
  active?: boolean | undefined;
  trigger?: JourneyTrigger | undefined;
  steps?: JourneyStep[] | undefined;
  re_entry?: ReEntry | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface JourneyReplace {
  name: string;
  /** False: no subscriber enters, and states wait at their step. */
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
  /** ISO 8601 time. Default: now. */
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
  /** Journey version at the start. */
  journey_version: number;
  subscriber_id: string;
  status: "active" | "completed" | "exited" | "failed";
  current_step: string | null;
  /** Time of the next step; null: at once or never. */
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

/** Starts the journey; unconfirmed subscribers enter once they confirm. `enter` works with every trigger. */
export type JourneyTrigger = ManualTrigger | FormTrigger | ListTrigger | AudienceTrigger | SubscriptionTrigger | EventTrigger;

/** Version last read; an outdated one is rejected. */
export type LastReadVersion = number;

export interface List {
  id: string;
  name: string;
  description: string | null;
  /** Includes inactive subscribers. */
  subscriber_count: number;
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** False omits `total` and `totalPages`. */
export type ListCount = boolean;

/** `false` omits `total` and `totalPages`. */
export type ListCountText = "true" | "false";

export interface ListCreate {
  name: string;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
}

/** `next` of the previous page; replaces `page`. */
export type ListCursor = string;

/** Fields of the results. Default: all. */
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

/** Subscribers either by address or by id. */
export interface ListMembers {
  emails?: string[] | undefined;
  subscriber_ids?: string[] | undefined;
}

export interface ListMembersAdded {
  /** Subscribers newly added. */
  added: number;
  /** Unknown addresses or ids. */
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

/** A field of `x-sort`; `-` before it means descending. Default: `-created_at`. */
export type ListSort = string;

/** Matching items on all pages. Absent with `count: false`. */
export type ListTotal = number;

export interface ListTrigger {
  type: "list_joined";
  list_id: string;
}

export interface ListedDraft {
  entity_type: string;
  key: string;
  author: DraftAuthor;
  is_own: boolean;
  base_version: number | null;
  shared: boolean;
  saved_at: string;
}

export interface ListedDrafts {
  results: ListedDraft[];
}

export interface ListedVersion {
  version: number;
  timestamp: string;
  /** Absent with `data=false`, and from the version on at which a page exceeds 1 MiB. */
  data?: unknown | undefined;
  actor: Actor | null;
  /** Members that differ from the previous version. Only in a page or with `data=false`. */
  changed_fields?: string[] | undefined;
}

export interface ListedView {
  id: string;
  screen: string;
  name: string;
  query: string;
  shared: boolean;
  /** Null: the author has left the tenant. */
  author: ViewAuthor | null;
  /** True if the caller may change and delete it. */
  can_change: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface ListedViews {
  results: ListedView[];
}

export interface ManualTrigger {
  type: "manual";
}

export interface MarketingEvent {
  type: "page_view" | "purchase" | "engagement_time";
  subscriber_id?: string | undefined;
  /** Instead of `subscriber_id`. */
  email?: string | undefined;
  /** Email that caused it. Default: the last one clicked within 30 days. */
  marketing_email_id?: string | undefined;
  url?: string | undefined;
  /** For purchases. */
  amount?: number | undefined;
  /** For engagement_time. */
  seconds?: number | undefined;
  /** Default: now. */
  occurred_at?: string | undefined;
}

export interface MarketingEventFigure {
  /** UTC day, type or campaign code; empty: no campaign. */
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
  /** ISO 8601 date or time. */
  from: string;
  /** ISO 8601 date or time. */
  to: string;
  group_by: "day" | "type" | "campaign";
  /** By field (type, subscriber_id, marketing_email_id, campaign_code), ANDed: a value or `{operation, value}`. */
  filters?: Record<string, unknown> | undefined;
}

export interface MemberName {
  membership_id: string;
  user_id: string;
  name: string;
}

export interface MemberNames {
  results: MemberName[];
}

export interface Membership {
  membership_id: string;
  user_id: string;
  email: string;
  name: string;
  is_tenant_admin: boolean;
  status: "active" | "inactive";
  grants: Grant[];
  /** The last use of a browser session or API key in this tenant, to the minute. */
  last_seen_at: string | null;
  created_at: string;
  invitation?: InvitationTimes | undefined;
}

export interface MembershipCreate {
  email: string;
  name: string;
  /** For new users only; else ignored. */
  password?: string | undefined;
  /** True: owner of the tenant. Default: false. */
  is_tenant_admin?: boolean | undefined;
  /** All grants; at most one per unit. */
  grants?: GrantInput[] | undefined;
  /** Send a link by mail; the membership is `inactive` until accepted within 7 days. Excludes `password`. */
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
  /** All grants; at most one per unit. */
  grants?: GrantInput[] | undefined;
  version?: LastReadVersion | undefined;
}

export interface Message {
  role: "user" | "assistant";
  content: (TextBlock | ImageBlock | ToolUseBlock | ToolResultBlock)[];
  /** Metadata, hidden from models. Answers with knowledge have `sources`. */
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

export interface ModelSettings {
  /** System prompt. */
  system: string;
  temperature: number;
  /** llm-3-opus-20240229, llm-3-5-sonnet-20240620, llm-3-sonnet-20240229, llm-3-haiku-20240307, or any model of the provider. */
  model: string;
  /** Maximum length of an answer. */
  max_tokens: number;
  tools?: AssistantTool[] | undefined;
}

export interface ModelUsage {
  results: ModelUse[];
  /** Matching items on all pages. */
  total: number;
  totalPages: number;
  counts: ModelUsageCounts;
}

export interface ModelUsageCounts {
  document_models: number;
  slice_models: number;
  site_settings: number;
  /** Documents of models that use it. */
  documents: number;
}

export interface ModelUse {
  type: "document_model" | "slice_model" | "site_settings" | "document";
  project_id: string;
  id: string;
  /** Name, or label of a document model. */
  name: string;
  /** For documents. */
  document_model_id?: string | undefined;
  /** For documents. */
  uid?: string | undefined;
  /** For documents. */
  status?: string | undefined;
}

export interface NameReply {
  name: string;
}

export interface NamedMetricQuery {
  name: "getMarketingEmailOpenRate" | "getMarketingEmailClickRate" | "getMarketingEmailUnsubscribeRate" | "getMarketingEmailBounceRate" | "getMarketingEmailConversionRate";
}

/** `after` for the next page; null on the last one. Only with `sort`, `after`, `fields` or `count`. */
export type NextCursor = string | null;

/** Next step. Default: the next in the list. */
export type NextStep = string;

export interface NoticesReply {
  /** Number of new bounces and complaints. */
  recorded: number;
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = unknown;

export interface OperationDetail {
  id: string;
  /** What it does, such as `subscriber_import`. */
  kind: string;
  /** Name of what it works on, such as a list, or of its action. */
  title: string | null;
  status: "queued" | "running" | "completed" | "failed" | "cancelled";
  /** Processed items. */
  done: number;
  /** All items; null if unknown. */
  total: number | null;
  /** Why it failed. */
  error: string | null;
  created_at: string;
  finished_at: string | null;
  /** Id of the operation that it reverts. */
  reverts: string | null;
  /** Id of the operation that reverts it. */
  reverted_by: string | null;
  /** Results by name, such as `created`, `updated` and `failed`. */
  counts: Record<string, number>;
  /** The first 1000. */
  problems: OperationProblem[];
  started_by: OperationStarter;
  /** True if the caller may cancel it now. */
  can_cancel: boolean;
  /** True if the caller may revert it now. */
  can_revert: boolean;
}

export interface OperationListItem {
  id: string;
  /** What it does, such as `subscriber_import`. */
  kind: string;
  /** Name of what it works on, such as a list, or of its action. */
  title: string | null;
  status: "queued" | "running" | "completed" | "failed" | "cancelled";
  /** Processed items. */
  done: number;
  /** All items; null if unknown. */
  total: number | null;
  /** Why it failed. */
  error: string | null;
  created_at: string;
  finished_at: string | null;
  /** Id of the operation that it reverts. */
  reverts: string | null;
  /** Id of the operation that reverts it. */
  reverted_by: string | null;
  started_by: OperationStarter;
  /** True if the caller may cancel it now. */
  can_cancel: boolean;
  /** True if the caller may revert it now. */
  can_revert: boolean;
}

export interface OperationListItemPage {
  results: OperationListItem[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface OperationListQuery {
  page?: PageNumber | undefined;
  limit: PageLimit;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  fields?: ListFields | undefined;
  count?: ListCount | undefined;
  filters?: Filters | undefined;
}

export interface OperationProblem {
  /** First line of the row in an imported file. */
  line?: number | undefined;
  /** Column or field at fault. */
  column?: string | undefined;
  /** Key of the record. */
  key?: string | undefined;
  message: string;
}

export interface OperationRevert {
  /** Only counts. */
  dry_run?: boolean | undefined;
}

export interface OperationRevertReply {
  /** The operation that reverts. Not in a dry run. */
  operation_id?: string | undefined;
  /** Only in a dry run: records that were created. */
  removed?: number | undefined;
  /** Only in a dry run: records that were changed. */
  restored?: number | undefined;
  /** Only in a dry run: records that stay as they are. */
  skipped?: OperationSkipped[] | undefined;
}

export interface OperationSkipped {
  /** `changed`: changed since. `unavailable`: deleted, or the caller may not delete it. `invalid`: the earlier values are no longer valid. */
  reason: "changed" | "unavailable" | "invalid";
  count: number;
}

export interface OperationStarter {
  membership_id: string;
  name: string | null;
}

export interface OperatorKeyCreate {
  name?: string | undefined;
  /** Address of the member. Default: the oldest owner. */
  email?: string | undefined;
}

export interface OutboxItem {
  id: string;
  /** Recipient, in lower case. */
  to: string;
  /** From address. */
  from: string;
  subject: string;
  created_at: string;
  /** URL of the raw message; operators only. */
  raw_url: string;
}

export interface OutboxItemPage {
  results: OutboxItem[];
  /** Matching items on all pages. */
  total: number;
  totalPages: number;
}

export interface OutboxMessage {
  id: string;
  /** Recipient, in lower case. */
  to: string;
  /** From address. */
  from: string;
  subject: string;
  created_at: string;
  html: string | null;
  text: string | null;
  /** Unfolded header fields by lower-case name; a list if repeated. */
  headers: Record<string, string | string[]>;
}

export interface Overview {
  /** Errors first, each the most recent first; at most 20 of a kind. */
  attention: AttentionItem[];
  /** Number of all items that need attention. */
  attention_total: number;
  running: RunningItem[];
  /** Figures by name. */
  today: Record<string, TodayFigure>;
  /** First steps of a tenant, true if done; only for owners. */
  setup: Record<string, boolean>;
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

/** Id, slug or name of the owning unit; cannot change once set. Null means absent. */
export type OwningUnit = string | null;

/** Items per page. */
export type PageLimit = number;

/** 1-based page. */
export type PageNumber = number;

export interface PageProject {
  id: string;
  name: string;
  description: string;
  /** Usable as template for projects. Default: false. */
  is_template: boolean;
  template_id: string | null;
  duplicated_from: string | null;
  business_unit_id: string;
  /** For templates: increases with every change of a model. */
  template_version?: number | undefined;
  /** For projects made from a template: version last synced. */
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
  /** Usable as template for projects. Default: false. */
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
  /** Usable as template for projects. Default: false. */
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
  /** Absent if there are none. */
  warnings?: Warning[] | undefined;
}

export type PageProjects = PageProjectList | PageProjectPage;

export interface Pagination {
  page: number;
  per_page: number;
  /** Matching records on all pages. */
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
  /** Masked address. */
  email_hint: string;
}

export interface PasswordResetRequest {
  email: string;
}

export interface PasswordSet {
  email: string;
  /** Default: 20 random characters. */
  password?: string | undefined;
}

export interface PasswordSetAnswer {
  email: string;
  /** Shown only once. */
  password: string;
}

export interface PostSubmitAction {
  type: "redirect" | "show_message" | "trigger_journey";
  /** Target of `redirect`: http or https. */
  url?: string | undefined;
  /** Content for `show_message`; sanitised in the browser. */
  html?: string | undefined;
  /** Journey for `trigger_journey`. */
  journey_id?: string | undefined;
}

export interface Preferences {
  tenant: PreferencesTenant;
  subscriber: PreferencesSubscriber;
  /** Active types. */
  available_subscription_types: AvailableSubscriptionType[];
  referrer: PreferencesReferrer;
}

export interface PreferencesPreview {
  subscription_types?: SubscriptionType[] | undefined;
  brand_settings?: BrandSettingsChange | undefined;
}

/** The email with the link. */
export interface PreferencesReferrer {
  marketingEmailId: string | null;
  subscriptionTypeId: string | null;
}

export interface PreferencesRendered {
  html: string;
}

export interface PreferencesSubscriber {
  email: string;
  /** One per available type. */
  subscriptions: PreferencesSubscription[];
}

export interface PreferencesSubscriberUpdates {
  /** true: stop all marketing mail; false: no effect. */
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
  /** Empty without a logo. */
  brand_logo_url: string;
  /** Empty without a brand. */
  brand_primary_color: string;
}

export interface PreferencesUpdate {
  subscription_updates: SubscriptionChanges;
  /** true: unsubscribe from all types that are not in `subscription_updates`; false: leave them unchanged. */
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
  /** Stable code of the problem, such as `variable_missing`. */
  id: string;
  field: string;
  message: string;
  /** Variable without a value. */
  variable?: string | undefined;
  /** Snippet that `line` and `column` refer to. */
  snippet?: string | undefined;
  /** 1-based. */
  line?: number | undefined;
  /** 1-based. */
  column?: number | undefined;
  /** Affected recipients. */
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
  /** Domain or URL that shows previews. */
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
  /** Editor state, stored verbatim. */
  snapshot: string;
}

export interface PreviewSnapshotCreated {
  /** Secret; gives access for 24 hours. */
  token: string;
}

export interface ProfileChange {
  name?: string | undefined;
  /** Language tag. */
  locale?: string | null | undefined;
  /** IANA name. */
  time_zone?: string | null | undefined;
  /** Settings of the console; at most 16384 characters as JSON. */
  preferences?: Record<string, unknown> | undefined;
}

export interface ProfileChanged {
  user: SessionUser;
}

export interface ProviderHookCreate {
  provider: "ses" | "mailgun" | "sendgrid" | "postmark";
  signing_key?: string | null | undefined;
}

export interface ProviderHookCreated {
  /** Secret: contains a token. */
  url: string;
}

export interface QueueMessage {
  /** Any JSON; runs read it as `trigger.message.body`. */
  body: unknown;
}

export interface QueueMessageReply {
  message_id: string;
}

/** Allows subscribers to enter again after they left. Default: `never`. */
export type ReEntry = "never" | "after_exit" | ReEntryAfterDays;

export interface ReEntryAfterDays {
  after_days: number;
}

export interface ReachReason {
  code: "inactive" | "unconfirmed" | "unsubscribed" | "suppressed" | "sandbox";
  /** The reason, and what may change it. */
  message: string;
  /** Cause of the suppression; null for another code. */
  suppression_type: "bounce" | "complaint" | "unsubscribe" | null;
  /** The `inactive_reason` of the subscriber, or the description of the suppression. */
  detail: string | null;
  /** When the subscriber unsubscribed, or the address was suppressed. */
  since: string | null;
  /** Who unsubscribed them: the kind of the author in history, such as `member`, or `subscriber` for a link in a message. */
  by: string | null;
  /** Null if only the subscriber can change it. */
  action: "activate" | "subscribe" | "delete_suppression" | "allow_recipient" | null;
}

/** Transactional mail to the address. */
export interface Reachability {
  /** True if mail may be sent. */
  ok: boolean;
  /** All reasons; empty if `ok`. */
  reasons: ReachReason[];
}

export interface ReachabilityByType {
  id: string;
  name: string;
  /** True if mail may be sent. */
  ok: boolean;
  /** All reasons; empty if `ok`. */
  reasons: ReachReason[];
}

export interface RecipientAddress {
  email: string;
  name?: string | undefined;
  /** Visible To header; mail goes to `email`. */
  header_to?: string | undefined;
}

export interface RecipientHistory {
  recipient: string;
  /** The first 100. */
  messages: RecipientHistoryMessage[];
}

export interface RecipientHistoryMessage {
  message_id: string;
  status: "queued" | "sending" | "sent" | "failed" | "suppressed" | "bounced";
  error: string | null;
  attempts: number;
  next_attempt_at: string | null;
  /** In chronological order; at most 1,000 opens, clicks and later events. */
  steps: RecipientHistoryStep[];
}

export interface RecipientHistoryStep {
  step: "accepted" | "suppressed" | "cancelled" | "rendered" | "render_failed" | "deferred" | "handed_over" | "failed" | "bounced" | "complained" | "unsubscribed" | "opened" | "clicked";
  at: string | null;
  detail: string | null;
  /** Faulty template part: subject, html or text. */
  part?: string | undefined;
  variable?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  /** Why this open or click is attributed to a machine. */
  machine_reason?: string | undefined;
}

export interface RecipientReply {
  recipient: string;
}

export interface RecordCount {
  results: RecordGroup[];
  /** Matching records. */
  total: number;
  /** Over all matching records; only with `sum`. */
  sum?: number | undefined;
}

export interface RecordDeleted {
  success: boolean;
  message: string;
}

export interface RecordGroup {
  /** Null for records without a value. */
  value: unknown;
  count: number;
  sum?: number | undefined;
}

export interface RecordIds {
  ids: unknown[];
}

export interface RecordMove {
  /** State of the workflow. */
  to: string;
}

export interface RecordSummary {
  entity_type: EntityTypeName;
  /** The full `entitySortKey`. */
  key: string;
  title: string;
  /** Newest version; of a deleted record, its last. */
  version: number;
  /** Null if it exists. */
  deleted_at: string | null;
  actor: Actor | null;
  /** Why versions cannot be restored; null if they can. */
  refusal: "own_operation" | "gives_access" | "erased" | "past_event" | "unchangeable" | null;
  /** Members that `fields` of a restore can name; null for any. */
  restorable_fields: string[] | null;
}

export interface RecordsCreate {
  records: unknown[];
}

export interface RecordsCreated {
  success: boolean;
  created: number;
  /** In request order. */
  ids: string[];
}

export interface RecordsDeleted {
  success: boolean;
  deleted: number;
}

export interface RecordsUpdate {
  /** Filter keys of the list: `{"status__in": "a,b"}`. */
  filter: Record<string, unknown>;
  update: EntityRecordValues;
}

export interface RecordsUpdated {
  success: boolean;
  updated: number;
}

export interface Redelivery {
  filters: Filters;
  /** Only counts. */
  dry_run?: boolean | undefined;
  /** Required unless `dry_run`: the number that a dry run returned. */
  expected_count?: number | undefined;
}

export interface RedeliveryReply {
  /** Selected deliveries. */
  count: number;
  /** Selected deliveries that are not sent again. */
  skipped: SkippedDeliveries[];
  /** With `dry_run`: the newest five. Otherwise empty. */
  sample: Delivery[];
}

export interface Redirect {
  id: string;
  project_id: string;
  source_domain: RedirectDomain;
  rule_type: "static" | "prefix" | "regex";
  /** Static rules: path without query. */
  source_url_path: string | null;
  /** Static rules: path on the same domain, or URL. */
  target_url: string | null;
  /** Prefix rules: first path segments. Regex rules: RE2 expression. */
  source_pattern: string | null;
  /** As `target_url`; regex rules may use groups: `$1`, `$2`. */
  target_pattern: string | null;
  redirect_type: "301" | "302" | "308";
  /** Higher priority is tried first. */
  priority: number;
  is_active: boolean;
  /** True if the target is on another domain. */
  is_external: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface RedirectBulkAction {
  /** `set_active`: sets whether they apply. `delete`: deletes them. */
  action: "set_active" | "delete";
  filters?: Filters | undefined;
  /** Only these records. Required unless `filters` is given; `{}` selects all. */
  ids?: string[] | undefined;
  /** All but these. */
  exclude_ids?: string[] | undefined;
  /** Only counts. */
  dry_run?: boolean | undefined;
  /** Required unless `dry_run`: the number that a dry run returned. */
  expected_count?: number | undefined;
  /** For `set_active`. */
  is_active?: boolean | undefined;
}

export interface RedirectCheck {
  redirect: boolean;
  redirect_type?: "301" | "302" | "308" | undefined;
  /** Valid as `Location` header. */
  target_url?: string | undefined;
  is_external?: boolean | undefined;
}

export interface RedirectConfig {
  /** Domains with redirects in this project. */
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
  /** Higher priority is tried first. */
  priority?: number | undefined;
  is_active?: boolean | undefined;
}

/** One of the project's `redirect_config.source_domains`; stored in lower case. */
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
  /** Higher priority is tried first. */
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
  /** Higher priority is tried first. */
  priority?: number | undefined;
  is_active?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface RedirectTest {
  source_domain: string;
  /** Requested path with query. */
  source_url_path: string;
}

export interface RefreshToken {
  refresh_token: string;
}

export interface ReplyBody {
  message?: string | Message | undefined;
}

export interface ReportExport {
  /** Recipient of the file. */
  receiver_email: string;
  report_type: "campaigns" | "marketing_email_details" | "subscribers" | "form_submissions";
  output_format: "csv";
  filters: Filters;
  /** Start the file with a byte order mark, so that Excel detects UTF-8. Default: true for browsers. */
  byte_order_mark?: boolean | undefined;
}

export interface ReportExportProgress {
  messageId: string;
  /** `sent`: the mail was handed to the relay. */
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
  /** Default: the last version of a deleted record. */
  version?: number | undefined;
  /** Fields to restore from `version`. Default: all but `active` and `status`. */
  fields?: string[] | undefined;
  /** Must be the newest version. */
  expected_version?: number | undefined;
  /** Writes nothing. */
  dry_run?: boolean | undefined;
  /** Fields that override the version, such as secrets or a name in use. */
  changes?: Record<string, unknown> | undefined;
}

export interface RestoreWarning {
  message: string;
}

export interface RestoredRecord {
  entityType: EntityTypeName;
  entitySortKey: string;
  /** New version; the newest one if nothing changes. */
  version: number;
  changed_fields: string[];
  /** Parts that are not restored. */
  warnings: RestoreWarning[];
}

/** Days after which submissions are erased with history and deliveries. Default: never. */
export type RetentionDays = number;

export interface RunningItem {
  id: string;
  /** Kind of the operation, such as `subscriber_import`. */
  kind: string;
  title: string | null;
  done: number;
  total: number | null;
  started_at: string;
}

export interface RunningOperations {
  /** The newest 100. */
  results: OperationListItem[];
}

export interface SavedView {
  id: string;
  membership_id: string | null;
  /** Name of the list: its path in the console without ids, such as `settings/members`. */
  screen: string;
  name: string;
  /** Query of the address, such as `filter=status is failed&sort=-created_at`. */
  query: string;
  /** True: all members of the tenant see it. */
  shared: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface SavedViewCreate {
  /** Name of the list: its path in the console without ids, such as `settings/members`. */
  screen: string;
  name: string;
  /** Query of the address, such as `filter=status is failed&sort=-created_at`. */
  query: string;
  /** True: all members of the tenant see it. */
  shared?: boolean | undefined;
}

export interface SavedViewPatch {
  name?: string | undefined;
  /** Query of the address, such as `filter=status is failed&sort=-created_at`. */
  query?: string | undefined;
  /** True: all members of the tenant see it. */
  shared?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface SavedViewReplace {
  name: string;
  /** Query of the address, such as `filter=status is failed&sort=-created_at`. */
  query: string;
  /** True: all members of the tenant see it. */
  shared?: boolean | undefined;
  version?: LastReadVersion | undefined;
}

export interface ScheduledTime {
  /** Local time `YYYY-MM-DDTHH:mm[:ss[.SSS]]`; absolute with `Z` or an offset. At clock changes a skipped time moves forward, a repeated one is the first. */
  date: string;
  timezone: "America/Sao_Paulo" | "Australia/Brisbane" | "Australia/Sydney" | "UTC";
}

export interface Search {
  /** An id, code, key or email address, or the beginning of a name. */
  query: string;
  /** Kinds to search. Default: all. */
  types?: SearchKindName[] | undefined;
  /** Default: 20. */
  limit?: number | undefined;
}

export interface SearchByAudiences {
  queryName: "getSubscribersCountByAudienceIds";
  vars: SearchByAudiencesVars;
}

export interface SearchByAudiencesVars {
  audienceIds: string[];
  /** Count only subscribers of this subscription type. */
  activeSubscriptionTypeId?: string | undefined;
}

export interface SearchByLists {
  queryName: "getSubscribersCountByListIds";
  vars: SearchByListsVars;
}

export interface SearchByListsVars {
  listIds: string[];
  /** Count only subscribers of this subscription type. */
  activeSubscriptionTypeId?: string | undefined;
}

/** Type of record. */
export type SearchKindName = "ai_assistant" | "ai_thread" | "ai_vector_index" | "business_unit" | "tenant_membership" | "business_unit_grant" | "email_settings" | "email_template" | "email_template_snippet" | "form" | "form_theme" | "form_submission" | "marketing_audience" | "marketing_list" | "marketing_campaign" | "marketing_email" | "marketing_email_sending_job" | "marketing_subscriber" | "pages_document_model" | "pages_slice_model" | "pages_document" | "pages_project_metadata" | "pages_url_redirect" | "pages_site_settings" | "user_journey" | "user_journey_state" | "webhook" | "entity" | "automation" | "asset" | "sending_domain" | "webhook_delivery";

export interface SearchResult {
  entity_type: SearchKindName;
  /** The `entitySortKey`; of kinds without history the id or name. */
  key: string;
  title: string;
  subtitle: string | null;
  business_unit: string | null;
}

export interface SearchResults {
  results: SearchResult[];
}

/** All words must occur, in any letter case. */
export type SearchText = string;

export interface SecretHeader {
  /** True: stored encrypted and never returned. */
  is_secret: boolean;
  /** At most 2000 characters, no expressions. A PUT without it keeps the stored value. */
  value?: string | undefined;
}

export interface SelectedRecord {
  key: string;
  title: string;
}

export interface SendEmailStep {
  /** Unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "send_email";
  /** Has the variables of campaigns: `subscriber.first_name`, `unsubscribe_url` etc. */
  template_id: string;
  /** Skips subscribers who unsubscribed from this type. */
  subscription_type_id?: string | undefined;
  /** Default: the template's. */
  subject?: string | undefined;
  /** Default: the template's. */
  from_email?: string | undefined;
}

export interface SenderIdentity {
  from_name: string;
  /** Unique, in any letter case. */
  from_email_address: string;
  /** Address, or empty. */
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
  /** True for the first verified domain whose bounce CNAME points to this installation. */
  is_default_bounce_domain: boolean;
  status: DomainStatus;
  /** DNS records to publish. */
  dns_records: DnsRecord[];
}

export interface SendingDomainItem {
  creation_time: string;
  domain: string;
  /** True for the first verified domain whose bounce CNAME points to this installation. */
  is_default_bounce_domain: boolean;
  status: DomainStatus;
}

export type SendingDomainList = SendingDomain[];

export interface SessionInfo {
  user: SessionUser;
  memberships: SessionMembership[];
  /** For `X-CSRF-Token`. */
  csrf_token: string;
  /** Until then, sensitive calls need no password. */
  confirmed_until: string;
  expires_at: string;
}

export interface SessionMembership {
  tenant_id: string;
  /** For `X-Tenant`. */
  tenant_code: string;
  tenant_name: string;
  brand: TenantBrand;
  membership_id: string;
  is_tenant_admin: boolean;
  default_business_unit_id: string;
  units: SessionUnit[];
  /** True if `units` has every active unit of the tenant. */
  has_all_units: boolean;
}

export interface SessionUnit {
  bu_id: string;
  name: string;
  slug: string;
  is_default: boolean;
  role: "viewer" | "editor" | "admin";
}

export interface SessionUser {
  id: string;
  email: string;
  name: string;
  locale: string | null;
  time_zone: string | null;
  preferences: Record<string, unknown>;
}

export interface SettingsEntry {
  key: string;
  name: string;
  description: string;
}

export interface SignIn {
  email: string;
  password: string;
  /** Required for users with several tenants. */
  tenant_code?: string | undefined;
}

export interface SignedIn {
  /** Access token for `Authorization: Bearer`; valid for 1 hour. */
  token: string;
  /** Valid once, for 30 days. */
  refresh_token: string;
  user: SignedInUser;
}

export interface SignedInUser {
  id: string;
  email: string;
  name: string;
}

/** Signs deliveries per Standard Webhooks. `whsec_<base64>` is decoded; other text is used as it is. Stored encrypted and never returned. A PUT without it keeps it; null removes it. */
export type SigningSecret = string | null;

export interface SimulatedEmail {
  subject: string;
  html: string;
}

export interface SimulatedEvent {
  /** Seconds after `start_at`. */
  after_seconds: number;
  type: "open" | "click" | "page_view" | "purchase" | "form_submission";
  /** Step whose mail the event belongs to. Default: any. */
  step?: string | undefined;
  form_code?: string | undefined;
}

/** Request that would be sent. */
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

/** Fictional subscriber; missing fields get sample values. */
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

/** Image, such as an asset. */
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

export interface SkippedDeliveries {
  /** The caller may not change their webhooks, or the webhooks are paused. */
  reason: "FORBIDDEN" | "PAUSED";
  count: number;
}

export interface SkippedIndexItem {
  id: string;
  /** Why the embeddings provider rejected the text. */
  message: string;
}

export interface SkippedRecords {
  /** The caller may not change them, or they already have the values. */
  reason: "FORBIDDEN" | "UNCHANGED";
  count: number;
}

export interface SliceColumn {
  /** Allowed blocks: `*` for all, or ids. */
  allow?: "*" | string[] | undefined;
}

export interface SliceModel {
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`; unique in the project. */
  id: string;
  type: "SharedSlice";
  /** Display name. */
  name: string;
  description: string | null;
  /** Sections and layouts are top-level, blocks go into layout columns. Default: section. */
  kind: "section" | "layout" | "block";
  /** Core: shared by all projects of the tenant, written by owners. Default: bespoke, this project only. */
  origin: "core" | "bespoke";
  /** Default: stable. */
  status: "stable" | "beta" | "deprecated";
  category: string | null;
  tags: string[];
  keywords: string[];
  media: string[];
  /** Stored verbatim; at most 1 MiB. */
  variations: SliceVariation[];
  /** For core slices: project of creation. */
  project_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Number of slices per value, for the 1,000 most frequent values. A facet ignores the filter of its own name. */
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
  /** Display name. */
  name?: string | undefined;
  description?: string | null | undefined;
  /** Sections and layouts are top-level, blocks go into layout columns. Default: section. */
  kind?: "section" | "layout" | "block" | undefined;
  /** Core: shared by all projects of the tenant, written by owners. Default: bespoke, this project only. */
  origin?: "core" | "bespoke" | undefined;
  /** Default: stable. */
  status?: "stable" | "beta" | "deprecated" | undefined;
  category?: string | null | undefined;
  tags?: string[] | undefined;
  keywords?: string[] | undefined;
  media?: string[] | undefined;
  /** Stored verbatim; at most 1 MiB. */
  variations?: SliceVariation[] | undefined;
  version?: LastReadVersion | undefined;
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`; unique in the project. */
  id: string;
}

export interface SliceModelPut {
  type?: "SharedSlice" | undefined;
  /** Display name. */
  name: string;
  description?: string | null | undefined;
  /** Sections and layouts are top-level, blocks go into layout columns. Default: section. */
  kind?: "section" | "layout" | "block" | undefined;
  /** Core: shared by all projects of the tenant, written by owners. Default: bespoke, this project only. */
  origin?: "core" | "bespoke" | undefined;
  /** Default: stable. */
  status?: "stable" | "beta" | "deprecated" | undefined;
  category?: string | null | undefined;
  tags?: string[] | undefined;
  keywords?: string[] | undefined;
  media?: string[] | undefined;
  /** Stored verbatim; at most 1 MiB. */
  variations?: SliceVariation[] | undefined;
  version?: LastReadVersion | undefined;
  /** Chosen by you: 1 to 128 of `A-Za-z0-9_.-`; unique in the project. */
  id: string;
}

export interface SliceVariation {
  id: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  docURL?: string | null | undefined;
  version?: string | null | undefined;
  imageUrl?: string | null | undefined;
  /** Field definitions. */
  primary?: Record<string, unknown> | undefined;
  /** Field definitions of repeated items. */
  items?: Record<string, unknown> | undefined;
  /** Columns of a layout. */
  columns?: SliceColumn[] | undefined;
}

export interface SplitBranch {
  percent: number;
  /** Key of a step. */
  to: string;
}

export interface SplitStep {
  /** Unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "split";
  /** Percentages must sum to 100. */
  branches: SplitBranch[];
}

export interface StatusReply {
  status: string;
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
  /** Unique in the business unit. */
  email: string;
  /** True if marketing mail may be sent. */
  active: boolean;
  /** Required when `active` is false. */
  inactive_reason: string | null;
  audiences: string[];
  lists: string[];
  additional_fields_data: AdditionalFieldValues;
  subscription_preferences: SubscriptionPreference[];
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface SubscriberBulkAction {
  /** `add_lists`: adds them to lists. `remove_lists`: removes them from lists. `set_active`: sets whether they get marketing mail. `set_fields`: sets values of additional fields. `set_subscription`: subscribes them to subscription types or unsubscribes them. `erase`: permanently erases them with history and mails of their unit. */
  action: "add_lists" | "remove_lists" | "set_active" | "set_fields" | "set_subscription" | "erase";
  filters?: Filters | undefined;
  /** Only these records. Required unless `filters` is given; `{}` selects all. */
  ids?: string[] | undefined;
  /** All but these. */
  exclude_ids?: string[] | undefined;
  /** Only counts. */
  dry_run?: boolean | undefined;
  /** Required unless `dry_run`: the number that a dry run returned. */
  expected_count?: number | undefined;
  search?: SearchText | undefined;
  /** For `add_lists` and `remove_lists`. */
  lists?: string[] | undefined;
  /** For `set_active`. */
  active?: boolean | undefined;
  /** For `set_active`. Required when `active` is false. */
  inactive_reason?: string | undefined;
  additional_fields_data?: AdditionalFieldChanges | undefined;
  /** For `set_subscription`. Types to subscribe to or unsubscribe from. */
  subscription_updates?: SubscriptionChanges | undefined;
}

export interface SubscriberByEmail {
  first_name?: string | undefined;
  last_name?: string | null | undefined;
  /** Unique in the business unit. */
  email?: string | undefined;
  /** True if marketing mail may be sent. */
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
  /** False if an existing subscriber was updated. */
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
  /** Unique in the business unit. */
  email: string;
  /** True if marketing mail may be sent. */
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
  /** Distinct links clicked. */
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
  status: "queued" | "running" | "completed" | "failed" | "cancelled";
  /** Number of rows, without the header. */
  total: number;
  created: number;
  updated: number;
  failed: number;
  /** At most 1000. */
  errors: SubscriberImportError[];
}

export interface SubscriberImportColumn {
  header: string;
  /** The first cells with content; at most 3. */
  samples: string[];
  /** A value for `mapping`; null suggests to ignore the column. */
  suggested_field: string | null;
}

export interface SubscriberImportError {
  /** First line of the row; a CSV header is line 1. */
  line: number;
  /** Invalid column or JSON field; absent if the whole row is invalid. */
  column?: string | undefined;
  message: string;
}

export interface SubscriberImportPreview {
  /** `workbook` is a file of Excel or Numbers, which must be exported as CSV. */
  format: "csv" | "workbook";
  /** `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, or the declared charset. */
  encoding: string | null;
  delimiter: string | null;
  /** The `source` with which the file should be imported, instead of a mapping. */
  source: "listmonk" | "mailchimp" | null;
  columns: SubscriberImportColumn[];
  /** At most 20. */
  problems: SubscriberImportProblem[];
}

export interface SubscriberImportProblem {
  line?: number | undefined;
  /** Header of the column. */
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

/** Values are names of form questions. */
export interface SubscriberMapping {
  enabled: boolean;
  first_name?: string | undefined;
  last_name?: string | undefined;
  lists?: string[] | undefined;
  audiences?: string[] | undefined;
  subscription_type_ids?: string[] | undefined;
  /** New subscribers stay inactive until they confirm by mail; requires a verified sending domain. Default: false. */
  double_opt_in?: boolean | undefined;
  /** Template of the confirmation mail; uses `confirm_url`. Default: a built-in text. */
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
  /** Unique in the business unit. */
  email?: string | undefined;
  /** True if marketing mail may be sent. */
  active?: boolean | undefined;
  inactive_reason?: string | null | undefined;
  audiences?: string[] | undefined;
  lists?: string[] | undefined;
  additional_fields_data?: AdditionalFieldValues | null | undefined;
  subscription_updates?: SubscriptionChanges | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface SubscriberReach {
  email: string;
  transactional: Reachability;
  /** Marketing mail without a subscription type. */
  without_type: Reachability;
  /** Marketing mail of each active subscription type, in the order of the email settings. */
  types: ReachabilityByType[];
}

export interface SubscriberReplace {
  first_name: string;
  last_name?: string | null | undefined;
  /** Unique in the business unit. */
  email: string;
  /** True if marketing mail may be sent. */
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

export interface SubscriberTimeline {
  results: TimelineEntry[];
  next: string | null;
}

export interface SubscriptionChange {
  subscription_type_id: string;
  subscribe: boolean;
}

/** Types to subscribe to or unsubscribe from. */
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
  /** Absent if there are none. */
  warnings?: Warning[] | undefined;
}

export interface SuccessReply {
  success: boolean;
}

export interface Suppression {
  /** Address, trimmed and in lower case. */
  recipient: string;
  type: "bounce" | "complaint" | "unsubscribe";
  description: string;
  created_at: string;
}

export interface SuppressionBulkAction {
  /** `delete`: removes them, so that mail is sent again. */
  action: "delete";
  filters?: Filters | undefined;
  /** Only these records. Required unless `filters` is given; `{}` selects all. */
  ids?: string[] | undefined;
  /** All but these. */
  exclude_ids?: string[] | undefined;
  /** Only counts. */
  dry_run?: boolean | undefined;
  /** Required unless `dry_run`: the number that a dry run returned. */
  expected_count?: number | undefined;
  search?: SearchText | undefined;
}

export interface SuppressionCreate {
  /** Address, trimmed and in lower case. */
  recipient: string;
  type: "bounce" | "complaint" | "unsubscribe";
  description?: string | undefined;
}

export interface SuppressionImport {
  /** The upload returns when the import is done. */
  status: "completed";
  /** Rows without the header. */
  total: number;
  created: number;
  /** Always 0: existing suppressions stay unchanged. */
  updated: 0;
  /** Rows of recipients already suppressed. */
  unchanged: number;
  failed: number;
  /** At most 1000. */
  errors: SuppressionImportFault[];
}

export interface SuppressionImportFault {
  /** First line of the row; the header is line 1. */
  line: number;
  /** Column at fault; absent for the whole row. */
  column?: string | undefined;
  message: string;
}

export interface SuppressionList {
  results: Suppression[];
  metadata: SuppressionListMetadata;
}

export interface SuppressionListMetadata {
  /** Matching suppressions on all pages. Absent with `count: false`. */
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
  /** Sender on a verified sending domain. */
  from_email: string;
  from_name: string | null;
  reply_to: string | null;
  description: string | null;
  /** Category for grouping. */
  type: string | null;
  /** Transactional mail ignores unsubscribes. */
  transactional: boolean;
  open_tracking: boolean;
  click_tracking: boolean;
  /** Readable by every unit; only owners set and change it. Default: false. */
  shared: boolean;
  business_unit: string;
}

/** Exactly one of `url` and `asset_id`. */
export interface TemplateAttachment {
  /** Required without `asset_id`. Default: the asset's. */
  name?: string | undefined;
  /** Media type. Required without `asset_id`. Default: the asset's. */
  type?: string | undefined;
  /** http or https; fetched when sending. */
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
  /** Null if the template had no active version. */
  version_id: string | null;
}

export interface TemplateCreate {
  name: string;
  /** Sender on a verified sending domain. */
  from_email: string;
  from_name?: string | null | undefined;
  reply_to?: string | null | undefined;
  description?: string | null | undefined;
  type?: string | null | undefined;
  /** Transactional mail ignores unsubscribes. */
  transactional: boolean;
  open_tracking?: boolean | undefined;
  click_tracking?: boolean | undefined;
  /** Readable by every unit; only owners set and change it. Default: false. */
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
  /** Sender on a verified sending domain. */
  from_email?: string | undefined;
  from_name?: string | null | undefined;
  reply_to?: string | null | undefined;
  description?: string | null | undefined;
  type?: string | null | undefined;
  /** Transactional mail ignores unsubscribes. */
  transactional?: boolean | undefined;
  open_tracking?: boolean | undefined;
  click_tracking?: boolean | undefined;
  /** Readable by every unit; only owners set and change it. Default: false. */
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
  /** Only if `content.text` was sent. */
  text?: string | undefined;
}

export interface TemplateReplace {
  name: string;
  /** Sender on a verified sending domain. */
  from_email: string;
  from_name?: string | null | undefined;
  reply_to?: string | null | undefined;
  description?: string | null | undefined;
  type?: string | null | undefined;
  /** Transactional mail ignores unsubscribes. */
  transactional: boolean;
  open_tracking?: boolean | undefined;
  click_tracking?: boolean | undefined;
  /** Readable by every unit; only owners set and change it. Default: false. */
  shared?: boolean | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface TemplateSnippet {
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  /** Used as `{{{snippet name}}}`; quote names with other characters than letters, digits, - and _. */
  name: string;
  /** HTML; may use variables and snippets. */
  content: string;
  description: string | null;
  business_unit: string;
}

export interface TemplateSnippetCreate {
  /** Used as `{{{snippet name}}}`; quote names with other characters than letters, digits, - and _. */
  name: string;
  /** HTML; may use variables and snippets. */
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
  /** Used as `{{{snippet name}}}`; quote names with other characters than letters, digits, - and _. */
  name?: string | undefined;
  /** HTML; may use variables and snippets. */
  content?: string | undefined;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface TemplateSnippetReplace {
  /** Used as `{{{snippet name}}}`; quote names with other characters than letters, digits, - and _. */
  name: string;
  /** HTML; may use variables and snippets. */
  content: string;
  description?: string | null | undefined;
  business_unit?: OwningUnit | undefined;
  version?: LastReadVersion | undefined;
}

export interface TemplateVersion {
  id: string;
  template_id: string;
  /** Counts from 1. */
  version: number;
  /** True: makes it the only active version. */
  active: boolean;
  subject: string;
  html_content: string;
  plain_content: string | null;
  /** Derive `plain_content` from the HTML. Default: false. */
  generate_plain_content: boolean;
  template_builder_content: Record<string, unknown> | null;
  test_data: Record<string, unknown> | null;
  data_fields_schema: unknown[];
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
  /** True: makes it the only active version. */
  active?: boolean | undefined;
  subject?: string | undefined;
  html_content?: string | undefined;
  plain_content?: string | null | undefined;
  /** Derive `plain_content` from the HTML. Default: false. */
  generate_plain_content?: boolean | undefined;
  template_builder_content?: Record<string, unknown> | null | undefined;
  test_data?: Record<string, unknown> | null | undefined;
  data_fields_schema?: unknown[] | null | undefined;
  attachments?: TemplateAttachment[] | null | undefined;
}

export interface TemplateVersionReplace {
  /** True: makes it the only active version. */
  active: boolean;
  subject: string;
  html_content: string;
  plain_content?: string | null | undefined;
  /** Derive `plain_content` from the HTML. Default: false. */
  generate_plain_content?: boolean | undefined;
  template_builder_content?: Record<string, unknown> | null | undefined;
  test_data?: Record<string, unknown> | null | undefined;
  data_fields_schema?: unknown[] | null | undefined;
  attachments?: TemplateAttachment[] | null | undefined;
}

export interface TenantBrand {
  logo_url: string;
  primary_color: string;
  locale?: string | undefined;
}

export interface TenantCreate {
  /** Short, unique; cannot change. */
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
  /** First API key of the owner; shown only once. */
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
  /** For new users only; else ignored. */
  password: string;
}

export interface TenantOwnerId {
  user_id: string;
}

export interface TenantReset {
  /** Repeat the tenant's code. */
  confirm: string;
}

export interface TenantResetReply {
  tenant_id: string;
  code: string;
}

export interface TenantSettings {
  name: string;
  brand_settings: BrandSettings;
  /** IANA name, such as `Europe/Berlin`. */
  time_zone: string;
  /** Hours without a call after which a browser session ends. */
  session_hours: number;
  version: number;
}

export interface TenantSettingsPatch {
  name?: string | undefined;
  brand_settings?: BrandSettings | undefined;
  /** IANA name, such as `Europe/Berlin`. */
  time_zone?: string | undefined;
  /** Hours without a call after which a browser session ends. */
  session_hours?: number | undefined;
  version?: LastReadVersion | undefined;
}

export interface TenantSettingsUpdate {
  name: string;
  brand_settings: BrandSettings;
  /** IANA name, such as `Europe/Berlin`. */
  time_zone: string;
  /** Hours without a call after which a browser session ends. */
  session_hours: number;
  version?: LastReadVersion | undefined;
}

export interface TenantSettingsVersion {
  version: number;
}

export interface TenantUpdate {
  name?: string | undefined;
  brand_settings?: BrandSettingsChange | undefined;
  /** Suspended: access is denied, nothing is sent and background work pauses. */
  status?: "active" | "suspended" | undefined;
}

export interface TextBlock {
  type: "text";
  text: string;
}

export interface ThemeForRendering {
  code: string;
  name: string;
  formBuilderThemeOptions: ThemeOptions;
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
  /** Start of the first text. */
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
  /** Messages to add. If they start with all messages of the thread, only the rest is added. */
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
  /** Start of the first text. */
  name: string;
  business_unit: string;
}

export interface ThreadSummaryPage {
  results: ThreadSummary[];
  total?: ListTotal | undefined;
  totalPages?: ListPages | undefined;
  next?: NextCursor | undefined;
}

export interface TimelineChoice {
  subscription_type_id: string;
  /** Of the type; its id if the type was deleted. */
  name: string;
  subscribed: boolean;
}

/** Only the members that an entry has. */
export interface TimelineDetail {
  /** Status of the mail, or of the subscriber in the journey. */
  status?: string | undefined;
  /** Why a mail was not sent or came back, or a journey failed. */
  reason?: string | undefined;
  /** Link that was clicked. */
  url?: string | undefined;
  /** Why an open or click is attributed to a machine. */
  machine_reason?: string | undefined;
  /** Form of a submission. */
  form_code?: string | undefined;
  /** Version of the subscriber. */
  version?: number | undefined;
  /** Members that the version changed. */
  changed_fields?: string[] | undefined;
  /** New value, if the version changed it. */
  active?: boolean | undefined;
  /** Subscription types that the version changed. */
  choices?: TimelineChoice[] | undefined;
  actor?: Actor | null | undefined;
}

export interface TimelineEntry {
  /** Unique among entries of the kind. */
  id: string;
  kind: "email" | "open" | "click" | "bounce" | "complaint" | "unsubscribe" | "submission" | "journey" | "consent" | "edit";
  at: string;
  title: string | null;
  /** Kind of the record that the entry leads to. */
  entity_type: string;
  /** Key of that record; of an edit or a consent, the version. */
  key: string;
  detail: TimelineDetail;
}

export interface TodayFigure {
  /** Since midnight in the tenant's time zone. */
  value: number;
  /** The previous days, newest first, each until the same time of day. */
  usual: number[];
}

/** Tokens per calendar month (UTC); beyond it, requests get 429 TOKEN_BUDGET_EXCEEDED. Null: no limit. */
export type TokenBudget = number;

/** JSON Schema of the tool's input; other keywords are stored. */
export interface ToolInputSchema {
  type: "object";
  properties: Record<string, unknown>;
  required: string[];
}

export interface ToolResultBlock {
  type: "tool_result";
  /** Id of an earlier tool_use. */
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

/** Exactly one of `url`, `data` and `asset_id`. */
export interface TransmissionAttachment {
  /** Required without `asset_id`. Default: the asset's. */
  name?: string | undefined;
  /** Media type such as `application/pdf`. Required without `asset_id`. Default: the asset's. */
  type?: string | undefined;
  /** Fetched once per transmission when sending, up to 3 attempts. Asset URLs are read from storage. */
  url?: string | undefined;
  /** Base64. */
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
  /** The id of a template. The version that is active at acceptance is sent, even if the sending is scheduled. */
  template_id?: string | undefined;
  /** Sender: `ada@example.com`, `Ada <ada@example.com>` or `{email, name}`. */
  from?: string | TransmissionSender | undefined;
  /** Subject of the message; at most 65,536 characters when rendered. */
  subject?: string | undefined;
  /** HTML of the message. */
  html?: string | undefined;
  /** Default: derived from the HTML. */
  text?: string | undefined;
  reply_to?: string | undefined;
  /** In addition to the template's. */
  attachments?: TransmissionAttachment[] | undefined;
}

export interface TransmissionCounts {
  recipients: number;
  /** Not yet sent, or to be retried. */
  queued: number;
  /** Handed to the relay; includes bounces and rejections. */
  sent: number;
  /** Could not be rendered or sent. */
  failed: number;
  suppressed: number;
  /** Accepted by the relay and not bounced. */
  delivered: number;
  bounced: number;
  /** Recipients who opened, without machines. */
  opened: number;
  /** Recipients who clicked, without machines. */
  clicked: number;
}

export interface TransmissionCreate {
  options: TransmissionOptions;
  recipients: TransmissionRecipientInput[];
  content: TransmissionContent;
  /** A label of at most 64 bytes. */
  campaign_id?: string | undefined;
  /** Alias of `campaign_id`. */
  campaign_code?: string | undefined;
  /** At most 1024 bytes. */
  description?: string | undefined;
  /** For templates (lowest precedence) and event webhooks. At most 10 KB of JSON. */
  metadata?: Record<string, unknown> | undefined;
  /** For templates. At most 100 KB of JSON. */
  substitution_data?: Record<string, unknown> | undefined;
  /** Sets domain and local-part prefix of envelope senders. Its domain needs a valid CNAME. */
  return_path?: string | undefined;
}

export interface TransmissionCreated {
  transactionId: string;
}

export interface TransmissionOptions {
  /** Transactional mail ignores unsubscribes, has no unsubscribe headers and goes first. */
  transactional: boolean;
  scheduled_time?: ScheduledTime | undefined;
  /** Default: the template's, else false. */
  open_tracking?: boolean | undefined;
  /** Default: the template's, else false. */
  click_tracking?: boolean | undefined;
  /** Place the pixel at the top instead of the end; requires open tracking. Default: false. */
  initial_open?: boolean | undefined;
  /** Send from the sandbox domain; the sender domain needs no verification. */
  sandbox?: boolean | undefined;
  /** Send to suppressed addresses too. */
  skip_suppression?: boolean | undefined;
  /** Stored only. */
  ip_pool?: string | undefined;
  /** Inline style elements as style attributes. Default: false. */
  inline_css?: boolean | undefined;
  /** False: send content verbatim; inline content only. Default: true. */
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
  /** Value of the header X-Tessera-Message. */
  message_id: string;
  sent_at: string | null;
}

export interface TransmissionRecipientInput {
  address: string | RecipientAddress;
  tags?: string[] | undefined;
  /** At most 10 KB of JSON; overrides the transmission's. */
  metadata?: Record<string, unknown> | undefined;
  /** At most 100 KB of JSON; overrides the transmission's. */
  substitution_data?: Record<string, unknown> | undefined;
}

export interface TransmissionRecipientPage {
  results: TransmissionRecipient[];
  /** Matching items on all pages. */
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
  /** At most 60 lower-case letters, digits, hyphens, underscores. Default: derived from the name. */
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
  /** Unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "update_subscriber";
  /** Values by name; texts may contain expressions. */
  additional_fields_data?: Record<string, string | number | boolean> | undefined;
  add_lists?: string[] | undefined;
  remove_lists?: string[] | undefined;
  subscription_updates?: SubscriptionUpdate[] | undefined;
}

export interface Usage {
  results: UsingRecord[];
}

export interface UsingRecord {
  entity_type: EntityTypeName;
  /** Its key in history. */
  key: string;
  title: string;
  /** True if it takes effect now, such as an active form. */
  is_active: boolean;
}

export interface VectorIndex {
  /** Lower-case letters, digits and hyphens. */
  name: string;
  /** Description for users and models. */
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
  /** Description for users and models. */
  contentsDescription: string;
  metadataDefinition: VectorIndexField[];
  business_unit?: OwningUnit | undefined;
}

export interface VectorIndexDeleted {
  /** Name of the index. */
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
  /** Text to search. */
  input: string;
  /** At most 100,000 characters of JSON. */
  metadata: Record<string, unknown>;
}

export interface VectorIndexItemPage {
  results: VectorIndexItem[];
  /** Matching items on all pages. */
  total: number;
  totalPages: number;
}

export interface VectorIndexItemsDeleted {
  /** Number of deleted items. */
  deleted: number;
}

export interface VectorIndexMatch {
  id: string;
  /** Similarity, at most 1: a cosine, or a fused rank if there is no embeddings provider. */
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
  /** Default: 5. */
  top_k?: number | undefined;
  /** Conditions by metadata field, ANDed: a value or `{operation, value}`. */
  filter?: Record<string, unknown> | undefined;
}

export interface VectorIndexUpsert {
  data: VectorIndexItemInput[];
}

export interface VectorIndexWithCounts {
  /** Lower-case letters, digits and hyphens. */
  name: string;
  /** Description for users and models. */
  contentsDescription: string;
  metadataDefinition: VectorIndexField[];
  business_unit: string;
  version: number;
  created_at: string;
  updated_at: string;
  item_count: number;
  /** Items with vectors of a former model; a job recomputes them. */
  pending_count: number;
  /** Items rejected by the embeddings provider; see their `embedding_error`. */
  failed_count: number;
  embedding_error: string | null;
}

export interface VersionRecord {
  version: number;
  timestamp: string;
  /** The record as returned by GET, without secrets. */
  data: unknown;
  actor: Actor | null;
}

export type VersionRecordList = ListedVersion[];

export interface ViewAuthor {
  membership_id: string;
  name: string;
}

export interface WaitForStep {
  /** Unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "wait_for";
  event: "open" | "click" | "page_view" | "purchase" | "form_submission";
  /** Key of a send_email step: only events of its mail count. */
  step?: string | undefined;
  form_code?: string | undefined;
  timeout_seconds: number;
  /** Key of a step. */
  on_event?: string | undefined;
  /** Key of a step. */
  on_timeout?: string | undefined;
}

/** Either `seconds`, `until`, or `at` with `timezone`. */
export interface WaitStep {
  /** Unique in the journey. */
  key: string;
  next?: NextStep | undefined;
  type: "wait";
  seconds?: number | undefined;
  /** ISO 8601 time. */
  until?: string | undefined;
  /** Next `HH:mm` in `timezone`. */
  at?: string | undefined;
  timezone?: string | undefined;
  /** Weekdays for `at`; 1 is Monday. Default: any. */
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
  /** False: no deliveries; pending ones are dropped. */
  active: boolean;
  /** JSON body of test requests; at most 100,000 characters. */
  test_data: Record<string, unknown>;
  /** Most recent attempt of any delivery, without tests. */
  last_attempt_at: string | null;
  last_attempt_status: "success" | "failed" | null;
  business_unit: string;
  /** Name of its form; null if the form was deleted meanwhile. In pages of the list, and with `figures=true`. */
  form_name?: string | null | undefined;
  last_24h?: WebhookFigures | undefined;
}

export interface WebhookCreate {
  name: string;
  event: WebhookEventInput;
  target: WebhookTargetInput;
  secret?: WebhookSecret | undefined;
  signing_secret?: SigningSecret | undefined;
  /** False: no deliveries; pending ones are dropped. */
  active?: boolean | undefined;
  /** JSON body of test requests; at most 100,000 characters. */
  test_data?: Record<string, unknown> | undefined;
}

export interface WebhookDelivery {
  /** Sent as header Tessera-Delivery-Id. */
  id: string;
  submission_id: string;
  status: "pending" | "success" | "failed";
  /** Finished attempts. */
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  /** Next attempt; during an attempt, when its lease expires. */
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
  event_type: "form.submission";
  /** Form whose submissions are delivered. */
  form_code: string;
}

export interface WebhookEventInput {
  event_type: "form.submission";
  /** Form whose submissions are delivered. */
  form_code: string;
}

/** Finished deliveries of the last 24 hours, to the hour. In pages of the list, and with `figures=true`. */
export interface WebhookFigures {
  succeeded: number;
  /** Not retried any more. */
  failed: number;
}

export interface WebhookHeader {
  name: string;
  /** Absent for a secret header. */
  value?: string | undefined;
  is_secret: boolean;
}

export interface WebhookHeaderInput {
  name: string;
  /** A PUT without it keeps the value of a secret header. */
  value?: string | undefined;
  /** Stored encrypted and never returned. Default: as stored, else false. */
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
  /** False: no deliveries; pending ones are dropped. */
  active?: boolean | undefined;
  /** JSON body of test requests; at most 100,000 characters. */
  test_data?: Record<string, unknown> | undefined;
  version?: LastReadVersion | undefined;
}

export interface WebhookReplace {
  name: string;
  target: WebhookTargetInput;
  secret?: WebhookSecret | undefined;
  signing_secret?: SigningSecret | undefined;
  /** False: no deliveries; pending ones are dropped. */
  active?: boolean | undefined;
  /** JSON body of test requests; at most 100,000 characters. */
  test_data?: Record<string, unknown> | undefined;
  version?: LastReadVersion | undefined;
}

/** Alternative to `signing_secret`, of any length. */
export type WebhookSecret = string | null;

export interface WebhookTarget {
  /** Target of deliveries: http or https. */
  url: string;
  headers: WebhookHeader[];
}

export interface WebhookTargetInput {
  /** Target of deliveries: http or https. */
  url: string;
  /** Default: none. */
  headers?: WebhookHeaderInput[] | undefined;
}

export interface WebhookTestReply {
  /** True if the receiver returned a 2xx status. */
  success: boolean;
  /** Absent without a response. */
  status_code?: number | undefined;
  /** First 64 KiB of the response; secret header values are masked. */
  response_body?: string | undefined;
  /** Why no response arrived. */
  error?: string | undefined;
  duration_ms: number;
}

/** Exactly one of address and domain; subdomains are not included. */
export interface WhitelistRule {
  email_address?: string | undefined;
  domain_name?: string | undefined;
  active: boolean;
}

export interface Workflow {
  /** Field for the state. */
  field: string;
  initial: string;
  states: string[];
  transitions: WorkflowTransition[];
  /** Field for the owner of the record. */
  owner_field?: string | undefined;
}

export interface WorkflowTransition {
  from: string;
  to: string;
}

export interface WrappedError {
  error: WrappedErrorBody;
  /** For 401 only. */
  message?: string | undefined;
  /** For 401 only. */
  code?: string | undefined;
}

export interface WrappedErrorBody {
  code: string;
  message: string;
  details: WrappedErrorDetail[];
  /** For unexpected errors: id of the request in the log. */
  request_id?: string | undefined;
}

export interface WrappedErrorDetail {
  field?: string | undefined;
  message: string;
  /** Undefined variable. */
  variable?: string | undefined;
  /** 1-based. */
  line?: number | undefined;
  /** 1-based. */
  column?: number | undefined;
}
