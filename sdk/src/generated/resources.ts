/** Generated from openapi.json by `npm run sdk`. */
import type { Filters as FiltersOf } from '../filters.ts';
import type { AllInput, ListInput, Optional } from '../lists.ts';
import type { CallOptions, QueryOptions, UploadOptions } from '../options.ts';
import type { ReplyEvent } from '../streams.ts';
import type {
  ActionTypeList,
  Activation,
  ActivityPage,
  ActivityQuery,
  AiBudget,
  AiBudgetPatch,
  AiBudgetState,
  AiIndexWriteReply,
  AiUsage,
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyPage,
  Asset,
  AssetBulkAction,
  AssetListQuery,
  AssetPage,
  AssetReplace,
  AssetReply,
  AssetUpload,
  Assistant,
  AssistantCreate,
  AssistantPatch,
  AssistantReplace,
  AssistantSummaryPage,
  Audience,
  AudienceCreate,
  AudienceExplanation,
  AudienceExplanationRequest,
  AudienceListQuery,
  AudiencePage,
  AudiencePatch,
  AudiencePreview,
  AudiencePreviewRequest,
  AudienceReplace,
  AuthorizedUnits,
  AutomationCreate,
  AutomationKey,
  AutomationListQuery,
  AutomationPage,
  AutomationPatch,
  AutomationReplace,
  AutomationRunId,
  AutomationRunListQuery,
  AutomationRunPage,
  AutomationRunStory,
  AutomationTest,
  AutomationTrigger,
  AutomationWithFigures,
  BrowserSessions,
  BrowserSignIn,
  BulkReply,
  CampaignCreate,
  CampaignCreated,
  CampaignDeleted,
  CampaignEmailClone,
  CampaignEmailCloned,
  CampaignEmailCreate,
  CampaignEmailCreated,
  CampaignEmailListItemPage,
  CampaignEmailPatch,
  CampaignEmailPreview,
  CampaignEmailProcessed,
  CampaignEmailRecipient,
  CampaignEmailReplace,
  CampaignEmailRetried,
  CampaignEmailStatusChange,
  CampaignEmailTest,
  CampaignEmailTested,
  CampaignEmailUpdated,
  CampaignEmailWithMetrics,
  CampaignEngagementPage,
  CampaignEngagementQuery,
  CampaignList,
  CampaignPatch,
  CampaignQuery,
  CampaignReplace,
  CampaignUpdated,
  CampaignWithMetrics,
  ClickedLinks,
  CodeReply,
  CodeReplyWithWarnings,
  Confirmation,
  Confirmed,
  ConversationMessageCreate,
  ConversationReply,
  ConversationToken,
  DeletedItemPage,
  DeletedListQuery,
  DeletedRecordList,
  DeliveryDetail,
  DeliveryListQuery,
  DeliveryPage,
  Document,
  DocumentBulkAction,
  DocumentListQuery,
  DocumentModel,
  DocumentModelPatch,
  DocumentModelPut,
  DocumentModelSummaryPage,
  DocumentPage,
  DocumentPatch,
  DocumentReplace,
  DocumentSearch,
  DomainCreate,
  DomainReply,
  DomainVouch,
  Draft,
  DraftBody,
  DraftRemoved,
  DraftSaved,
  EmailMetricsQuery,
  EmailSettings,
  EmailSettingsPatch,
  EmailSettingsReplace,
  EngageBody,
  Entity,
  EntityCreate,
  EntityList,
  EntityPatch,
  EntityReplace,
  EntitySortKey,
  EntityTypeName,
  EntityWebhook,
  EntityWebhookCreate,
  EntityWebhookDeleted,
  EntityWebhookList,
  Form,
  FormCreate,
  FormListItemPage,
  FormListQuery,
  FormPatch,
  FormRendering,
  FormReplace,
  FormSettings,
  FormSubmission,
  FormSubmissionBulkAction,
  FormSubmissionCreate,
  FormSubmissionErasure,
  FormSubmissionListQuery,
  FormSubmissionPage,
  FormSubmissionsErased,
  FormTheme,
  FormThemeCreate,
  FormThemeListQuery,
  FormThemePage,
  FormThemePatch,
  FormThemeReplace,
  FoundDocumentList,
  HealthCheck,
  IdReply,
  IdVersionReply,
  ImportReply,
  InvitationAcceptance,
  InvitationInfo,
  InvitationSent,
  Journey,
  JourneyCreate,
  JourneyEnter,
  JourneyEntered,
  JourneyListQuery,
  JourneyPage,
  JourneyPatch,
  JourneyReplace,
  JourneySimulate,
  JourneySimulation,
  JourneyState,
  JourneyStateListQuery,
  JourneyStatePage,
  List,
  ListCountText,
  ListCreate,
  ListCursor,
  ListFields,
  ListListQuery,
  ListMembers,
  ListMembersAdded,
  ListMembersRemoved,
  ListPage,
  ListPatch,
  ListReplace,
  ListedDrafts,
  ListedViews,
  MarketingEventFigures,
  MarketingEvents,
  MarketingEventsAccepted,
  MarketingEventsQuery,
  MemberNames,
  Membership,
  MembershipCreate,
  MembershipCreated,
  MembershipIdReply,
  MembershipPage,
  MembershipUpdate,
  Message,
  MetricQuery,
  MetricResult,
  MetricsByEmail,
  ModelUsage,
  NameReply,
  OperationDetail,
  OperationListItemPage,
  OperationListQuery,
  OperationRevert,
  OperationRevertReply,
  OperatorKeyCreate,
  OutboxItemPage,
  OutboxMessage,
  Overview,
  OwnMemberships,
  PageLimit,
  PageNumber,
  PageProject,
  PageProjectDuplicate,
  PageProjectPatch,
  PageProjectReplace,
  PageProjectSynced,
  PageProjects,
  PasswordChange,
  PasswordReset,
  PasswordResetHint,
  PasswordResetRequest,
  PasswordSet,
  PasswordSetAnswer,
  Preferences,
  PreferencesPreview,
  PreferencesRendered,
  PreferencesUpdate,
  PreferencesUpdated,
  Preflight,
  PreviewSnapshot,
  PreviewSnapshotCreate,
  PreviewSnapshotCreated,
  ProfileChange,
  ProfileChanged,
  ProviderHookCreate,
  ProviderHookCreated,
  QueueMessage,
  QueueMessageReply,
  RecipientHistory,
  RecipientReply,
  RecordSummary,
  Redelivery,
  RedeliveryReply,
  Redirect,
  RedirectBulkAction,
  RedirectCheck,
  RedirectCreate,
  RedirectListQuery,
  RedirectPage,
  RedirectPatch,
  RedirectReplace,
  RedirectTest,
  RefreshToken,
  ReplyBody,
  ReportExport,
  ReportExportProgress,
  ReportExportQueued,
  RestoreRecord,
  RestoredRecord,
  RunningOperations,
  SavedView,
  SavedViewCreate,
  SavedViewPatch,
  SavedViewReplace,
  Search,
  SearchResults,
  SearchText,
  SenderIdentityList,
  SenderIdentityReply,
  SendingDomain,
  SendingDomainList,
  SessionInfo,
  SignIn,
  SignedIn,
  SiteSettings,
  SiteSettingsReplace,
  SliceModel,
  SliceModelPage,
  SliceModelPatch,
  SliceModelPut,
  SubmissionIdReply,
  Subscriber,
  SubscriberBulkAction,
  SubscriberByEmail,
  SubscriberByEmailReply,
  SubscriberCounts,
  SubscriberCreate,
  SubscriberEngagementPage,
  SubscriberEngagementQuery,
  SubscriberImport,
  SubscriberImportPreview,
  SubscriberListQuery,
  SubscriberPage,
  SubscriberPatch,
  SubscriberReach,
  SubscriberReplace,
  SubscriberSearch,
  SubscriberTimeline,
  SubscriptionType,
  SubscriptionTypeList,
  Success,
  SuccessCodeReply,
  SuccessCodeReplyWithWarnings,
  SuccessReply,
  Suppression,
  SuppressionBulkAction,
  SuppressionCreate,
  SuppressionImport,
  SuppressionList,
  Template,
  TemplateClone,
  TemplateCloned,
  TemplateCreate,
  TemplatePage,
  TemplatePatch,
  TemplatePreview,
  TemplateRendered,
  TemplateReplace,
  TemplateSnippet,
  TemplateSnippetCreate,
  TemplateSnippetPage,
  TemplateSnippetPatch,
  TemplateSnippetReplace,
  TemplateVersion,
  TemplateVersionPage,
  TemplateVersionPatch,
  TemplateVersionReplace,
  TenantCreate,
  TenantCreated,
  TenantInfo,
  TenantItemPage,
  TenantKey,
  TenantReset,
  TenantResetReply,
  TenantSettings,
  TenantSettingsPatch,
  TenantSettingsUpdate,
  TenantSettingsVersion,
  TenantUpdate,
  Thread,
  ThreadCreate,
  ThreadReplace,
  ThreadSummaryPage,
  Transmission,
  TransmissionCancelled,
  TransmissionCreate,
  TransmissionCreated,
  TransmissionPage,
  TransmissionRecipientPage,
  UnitCreate,
  UnitKey,
  UnitRename,
  UnitRenamePatch,
  Usage,
  VectorIndexCreate,
  VectorIndexDeleted,
  VectorIndexItem,
  VectorIndexItemIds,
  VectorIndexItemPage,
  VectorIndexItemsDeleted,
  VectorIndexMatches,
  VectorIndexPage,
  VectorIndexQuery,
  VectorIndexUpsert,
  VectorIndexWithCounts,
  VersionRecord,
  VersionRecordList,
  Webhook,
  WebhookCreate,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookPatch,
  WebhookReplace,
  WebhookTestReply,
} from './schemas.ts';

export interface TenantsListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "code" | "-code" | "name" | "-name" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface BusinessUnitsListQuery {
  /** `true`: only archived units; owners only. */
  archived?: "true" | "false" | undefined;
}

export interface MembershipsListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
  search?: SearchText | undefined;
}

export interface ApiKeysListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface ViewsListQuery {
  /** Name of the list. */
  screen: string;
}

export interface DraftsListQuery {
  /** Kind of the edited item, such as `form`. */
  entity_type: string;
  /** Key of the item among those of its kind; `new` for a new one. */
  key?: string | undefined;
}

export interface DraftsGetQuery {
  /** Author of a shared draft. Default: the caller. */
  membership_id?: string | undefined;
}

/** Conditions of a list. */
export type ActivityListFilters = FiltersOf<{
  entity_type: 'text';
  key: 'text';
  membership_id: 'text';
  action: 'text';
  at: 'time';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

export interface SuppressionsListQuery {
  page?: PageNumber | undefined;
  pageSize?: PageLimit | undefined;
  type?: "bounce" | "complaint" | "unsubscribe" | undefined;
  search?: SearchText | undefined;
  /** Text that the description contains. */
  description?: string | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "recipient" | "-recipient" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TemplatesListQuery {
  /** Substring of the name. */
  name?: string | undefined;
  /** Exact type. */
  type?: string | undefined;
  search?: SearchText | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TemplatesListVersionsQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TemplateSnippetsListQuery {
  search?: SearchText | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TransmissionsListQuery {
  state?: "scheduled" | "generating" | "sending" | "completed" | "cancelled" | "failed" | undefined;
  /** Tag of any recipient. */
  tag?: string | undefined;
  /** Accepted at or after this ISO 8601 date or time. */
  from?: string | undefined;
  /** Accepted at or before. */
  to?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TransmissionsListRecipientsQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
}

export interface OutboxListQuery {
  /** Recipient address, in any letter case. */
  to?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
}

/** Conditions of a list. */
export type FormsListFilters = FiltersOf<{
  name: 'text';
  active: 'boolean';
  form_type: 'text';
  business_unit: 'id';
  created_at: 'time';
}, 'eq' | 'ne' | 'like' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'between'>;

/** Conditions of a list. */
export type FormThemesListFilters = FiltersOf<{
  name: 'text';
  business_unit: 'id';
  created_at: 'time';
}, 'eq' | 'ne' | 'like' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'between'>;

/** Conditions of a list. */
export type FormSubmissionsListFilters = FiltersOf<{
  created_at: 'time';
  form_code: 'text';
  email_address: 'text';
  business_unit: 'id';
}, 'eq' | 'ne' | 'like' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'between'>;

export interface WebhooksListQuery {
  form_code?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface WebhooksGetQuery {
  /** Adds `form_name` and `last_24h`. Default: false. */
  figures?: boolean | undefined;
}

export interface WebhooksListDeliveriesQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

/** Conditions of a list. */
export type ListsListFilters = FiltersOf<{
  name: 'text';
  business_unit: 'id';
  created_at: 'time';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

/** Conditions of a list. */
export type SubscribersListFilters = FiltersOf<{
  first_name: 'text';
  last_name: 'text';
  email: 'text';
  active: 'boolean';
  business_unit: 'id';
  created_at: 'time';
  updated_at: 'time';
  lists: 'id';
  audiences: 'id';
  [name: `additional_fields_data.${string}`]: 'any';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

export interface SubscribersImportQuery {
  /** For an existing address, `insert` fails the row and `upsert` updates the subscriber. */
  mode: "insert" | "upsert";
  /** The system that exported the file; sets how columns are read. */
  source?: "listmonk" | "mailchimp" | undefined;
  /** Only with `source`: deactivates and suppresses all rows for this reason. */
  suppress?: "unsubscribe" | "bounce" | "complaint" | undefined;
  /** Id of a list that all rows join. */
  list_id?: string | undefined;
  /** Only for CSV without `source`: a JSON object from headers of the file to fields, `{"Vorname":"first_name","Ort":"additional_fields_data.city","Nr":null}`; null ignores the column. */
  mapping?: string | undefined;
}

export interface SubscribersTimelineQuery {
  /** Kinds of entries, separated by commas: email, open, click, bounce, complaint, unsubscribe, submission, journey, consent, edit. Default: all. */
  kinds?: string | undefined;
  after?: ListCursor | undefined;
  limit?: number | undefined;
}

/** Conditions of a list. */
export type AudiencesListFilters = FiltersOf<{
  name: 'text';
  business_unit: 'id';
  created_at: 'time';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

export interface CampaignEmailsListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

/** Conditions of a list. */
export type JourneysListFilters = FiltersOf<{
  name: 'text';
  active: 'boolean';
  business_unit: 'id';
  created_at: 'time';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

/** Conditions of a list. */
export type JourneysListStatesFilters = FiltersOf<{
  subscriber_id: 'id';
  status: 'text';
  current_step: 'text';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

export interface EntitiesDeleteQuery {
  /** Also delete the records. Default: false. */
  drop?: boolean | undefined;
}

export interface DocumentModelsListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "label" | "-label" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
  searchText?: SearchText | undefined;
}

export interface DocumentModelsUsageQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
}

export interface SliceModelsListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
  searchText?: SearchText | undefined;
  /** Sorts descending by this time, unless `sort` is given. */
  sortBy?: "created_at" | "updated_at" | undefined;
  "kind[]"?: string[] | undefined;
  "category[]"?: string[] | undefined;
  "tags[]"?: string[] | undefined;
  "media[]"?: string[] | undefined;
  "origin[]"?: string[] | undefined;
  "status[]"?: string[] | undefined;
  "availableSliceIds[]"?: string[] | undefined;
}

export interface SliceModelsUsageQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
}

export interface DocumentsGetQuery {
  id?: string | undefined;
  document_model_id?: string | undefined;
  uid?: string | undefined;
}

/** Conditions of a list. */
export type DocumentsListFilters = FiltersOf<{
  uid: 'text';
  name: 'text';
  document_model_id: 'text';
  status: 'text';
  created_at: 'time';
  updated_at: 'time';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

/** Conditions of a list. */
export type RedirectsListFilters = FiltersOf<{
  source_domain: 'text';
  rule_type: 'text';
  redirect_type: 'text';
  is_active: 'boolean';
  created_at: 'time';
  business_unit: 'id';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

/** Conditions of a list. */
export type AssetsListFilters = FiltersOf<{
  name: 'text';
  folder: 'text';
  mime_type: 'text';
  size: 'number';
  created_at: 'time';
  tags: 'text';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

export interface AssetsDownloadQuery {
  w?: number | undefined;
  h?: number | undefined;
  /** With both sides: fill and crop, or fit inside. Default: cover. */
  fit?: "cover" | "contain" | undefined;
  /** Default: the image's format, or webp. */
  format?: "webp" | "avif" | "jpeg" | "png" | undefined;
  /** Quality. Default: 80. */
  q?: number | undefined;
}

export interface AiAssistantsListQuery {
  /** Id, slug or name of the owning unit. */
  business_unit?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface AiThreadsListQuery {
  /** Letters, digits, hyphens and underscores. */
  user_id: string;
  /** Id, slug or name of the owning unit. */
  business_unit?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface AiIndexesListQuery {
  /** Id, slug or name of the owning unit. */
  business_unit?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface AiIndexesListItemsQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
}

export interface AiUsageReadQuery {
  /** ISO 8601 date or time; its UTC day counts. */
  from?: string | undefined;
  /** ISO 8601 date or time; its UTC day counts. */
  to?: string | undefined;
}

export interface EntityVersionsListQuery {
  entityType: EntityTypeName;
  entitySortKey: EntitySortKey;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** By version. Default: `asc`. */
  order?: "asc" | "desc" | undefined;
  /** `false`: without `data`. */
  data?: boolean | undefined;
}

export interface EntityVersionsGetQuery {
  entityType: EntityTypeName;
  entitySortKey: EntitySortKey;
}

export interface EntityRecordsGetQuery {
  entityType: EntityTypeName;
  entitySortKey: EntitySortKey;
}

export interface DeletedRecordsListQuery {
  entityType: EntityTypeName;
}

/** Conditions of a list. */
export type DeletedRecordsSearchFilters = FiltersOf<{
  entity_type: 'text';
  deleted_at: 'time';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

export interface ProjectsListQuery {
  name?: string | undefined;
  search?: SearchText | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

/** Conditions of a list. */
export type AutomationsListFilters = FiltersOf<{
  key: 'text';
  name: 'text';
  app: 'text';
  module: 'text';
  entityKey: 'text';
  triggerType: 'text';
  active: 'boolean';
  created_at: 'time';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

export interface AutomationsListRunsQuery {
  status?: "queued" | "running" | "succeeded" | "failed" | "skipped" | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  /** A field; `-` before it means descending. Default: `-created_at`. */
  sort?: "created_at" | "-created_at" | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

/** Conditions of a list. */
export type AutomationRunsListFilters = FiltersOf<{
  status: 'text';
  key: 'text';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

/** Conditions of a list. */
export type DeliveriesListFilters = FiltersOf<{
  status: 'text';
  kind: 'text';
  webhook_id: 'id';
  status_code: 'integer';
  created_at: 'time';
  id: 'id';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

/** Conditions of a list. */
export type LongOperationsListFilters = FiltersOf<{
  kind: 'text';
  status: 'text';
  created_at: 'time';
  started_by: 'id';
}, 'eq' | 'ne' | 'between' | 'like' | 'nlike' | 'gt' | 'lt' | 'gte' | 'lte' | 'in' | 'nin' | 'empty' | 'nempty' | 'nemptyarray'>;

/** The resources of the API. All calls throw `TesseraError`. */
export interface Resources {
  readonly tenant: {
    /** Reads the tenant of the API key */
    info(options?: CallOptions): Promise<TenantInfo>;
    /** Reads the tenant and the setup of this installation */
    healthcheck(options?: CallOptions): Promise<HealthCheck>;
  };
  readonly tenantSettings: {
    /** Reads the settings of the tenant */
    get(options?: CallOptions): Promise<TenantSettings>;
    /** Updates the settings of the tenant */
    update(input: TenantSettingsUpdate, options?: CallOptions): Promise<TenantSettingsVersion>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(input: TenantSettingsPatch, options?: CallOptions): Promise<TenantSettingsVersion>;
  };
  readonly tenants: {
    /** Creates a tenant with Default unit, owner and API key */
    create(input: TenantCreate, options?: CallOptions): Promise<TenantCreated>;
    /**
     * Lists all tenants, newest first
     *
     * Default: page 1, 20 items.
     */
    list(input?: TenantsListQuery, options?: CallOptions): Promise<TenantItemPage>;
    /** Lists all tenants, newest first: all pages */
    all(input?: AllInput<TenantsListQuery>, options?: CallOptions): AsyncGenerator<TenantItemPage['results'][number], void, undefined>;
    /** Deletes all data of a tenant except owners, their keys and the Default unit */
    reset(code: string, input: TenantReset, options?: CallOptions): Promise<TenantResetReply>;
    /** Renames, rebrands, suspends or reactivates a tenant */
    update(code: string, input: TenantUpdate, options?: CallOptions): Promise<TenantKey>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(code: string, input: TenantUpdate, options?: CallOptions): Promise<TenantKey>;
    /**
     * Permanently deletes a tenant with all data
     *
     * Access ends at once; a job removes rows and files. Irreversible: take a backup first.
     */
    delete(code: string, input: TenantReset, options?: CallOptions): Promise<TenantKey>;
  };
  readonly businessUnits: {
    /** Lists the active units of the caller */
    list(input?: BusinessUnitsListQuery, options?: CallOptions): Promise<AuthorizedUnits>;
    /** Creates a unit */
    create(input: UnitCreate, options?: CallOptions): Promise<UnitKey>;
    /** Renames a unit; its slug stays */
    rename(buId: string, input: UnitRename, options?: CallOptions): Promise<UnitKey>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(buId: string, input: UnitRenamePatch, options?: CallOptions): Promise<UnitKey>;
    /** Archives a unit; hides its records without deleting them */
    archive(buId: string, options?: CallOptions): Promise<UnitKey>;
    /**
     * Restores an archived unit with its records and grants
     *
     * Has no effect on active units.
     */
    restore(buId: string, options?: CallOptions): Promise<UnitKey>;
    /** Activates a unit; returns a token valid for 12 hours */
    activate(buId: string, options?: CallOptions): Promise<Activation>;
  };
  readonly myMemberships: {
    /** Lists the caller's memberships in all tenants */
    list(options?: CallOptions): Promise<OwnMemberships>;
  };
  readonly memberships: {
    /**
     * Adds a user to the tenant
     *
     * An existing user keeps name and password. With `invite` the user gets a link by mail and joins by accepting.
     */
    create(input: MembershipCreate, options?: CallOptions): Promise<MembershipCreated>;
    /** Lists all memberships with their grants, newest first */
    list(input?: MembershipsListQuery, options?: CallOptions): Promise<MembershipPage>;
    /** Lists all memberships with their grants, newest first: all pages */
    all(input?: AllInput<MembershipsListQuery>, options?: CallOptions): AsyncGenerator<MembershipPage['results'][number], void, undefined>;
    /** Reads a membership with its grants */
    get(membershipId: string, options?: CallOptions): Promise<Membership>;
    /** Updates status, ownership or grants */
    update(membershipId: string, input: MembershipUpdate, options?: CallOptions): Promise<MembershipIdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(membershipId: string, input: MembershipUpdate, options?: CallOptions): Promise<MembershipIdReply>;
    /**
     * Removes a user with grants, API keys and sessions from the tenant
     *
     * Also withdraws an invitation. Deletes a user without other memberships.
     */
    delete(membershipId: string, options?: CallOptions): Promise<MembershipIdReply>;
    /**
     * Resends an invitation with a new link
     *
     * The previous link expires. The new one is valid for 7 days.
     */
    resendInvitation(membershipId: string, options?: CallOptions): Promise<InvitationSent>;
  };
  readonly members: {
    /** Lists the names of all members, without addresses */
    names(options?: CallOptions): Promise<MemberNames>;
  };
  readonly invitations: {
    /** Reads the invitation of a link */
    get(token: string, options?: CallOptions): Promise<InvitationInfo>;
    /**
     * Accepts an invitation; activates the membership and starts a session
     *
     * The link works once, for 7 days. A user without a password sets one; others keep theirs.
     */
    accept(token: string, input: InvitationAcceptance, options?: CallOptions): Promise<SignedIn>;
  };
  readonly apiKeys: {
    /** Creates an API key for a membership; shown only once */
    create(input: ApiKeyCreate, options?: CallOptions): Promise<ApiKeyCreated>;
    /** Lists the tenant's keys including revoked ones, newest first */
    list(input?: ApiKeysListQuery, options?: CallOptions): Promise<ApiKeyPage>;
    /** Lists the tenant's keys including revoked ones, newest first: all pages */
    all(input?: AllInput<ApiKeysListQuery>, options?: CallOptions): AsyncGenerator<ApiKeyPage['results'][number], void, undefined>;
    /** Revokes an API key */
    revoke(id: string, options?: CallOptions): Promise<IdReply>;
    /** Creates an API key for a member who lost theirs; shown only once */
    createForTenant(code: string, input: OperatorKeyCreate, options?: CallOptions): Promise<ApiKeyCreated>;
  };
  readonly auth: {
    /**
     * Signs in
     *
     * After 10 failures in 15 minutes per user or client, every attempt is refused.
     */
    login(input: SignIn, options?: CallOptions): Promise<SignedIn>;
    /**
     * Exchanges a refresh token for new tokens
     *
     * A token works once. Reuse within 10 s returns 409 (for concurrent tabs); later reuse ends the session and all its tokens.
     */
    refresh(input: RefreshToken, options?: CallOptions): Promise<SignedIn>;
    /**
     * Signs out; ends the session and its access tokens
     *
     * Unknown and expired tokens get the same response.
     */
    logout(input: RefreshToken, options?: CallOptions): Promise<Success>;
    /**
     * Changes the caller's password
     *
     * Ends all sessions of the user in all tenants, including this one; a browser session gets a new cookie. A wrong current password counts as a failed sign-in.
     */
    changePassword(input: PasswordChange, options?: CallOptions): Promise<Success>;
    /** Updates the user's profile; absent members stay unchanged */
    updateProfile(input: ProfileChange, options?: CallOptions): Promise<ProfileChanged>;
  };
  readonly users: {
    /**
     * Sets the password of a user
     *
     * Ends all sessions of the user in all tenants.
     */
    setPassword(input: PasswordSet, options?: CallOptions): Promise<PasswordSetAnswer>;
  };
  readonly browserSessions: {
    /**
     * Signs in and sets the cookie
     *
     * For pages of this origin. The limits of `/auth/login` apply.
     */
    create(input: BrowserSignIn, options?: CallOptions): Promise<SessionInfo>;
    /** Reads the user, the tenants and the CSRF token of the session */
    get(options?: CallOptions): Promise<SessionInfo>;
    /** Signs out this browser */
    signOut(options?: CallOptions): Promise<Success>;
    /**
     * Verifies the password; allows sensitive calls for 10 minutes
     *
     * A wrong password counts as a failed sign-in.
     */
    confirm(input: Confirmation, options?: CallOptions): Promise<Confirmed>;
    /** Lists the sessions of the user in all browsers */
    list(options?: CallOptions): Promise<BrowserSessions>;
    /** Ends a session of the user */
    delete(id: string, options?: CallOptions): Promise<Success>;
  };
  readonly passwordResets: {
    /**
     * Sends a password-reset link
     *
     * The response is the same for every address. A user gets at most 3 such mails per hour.
     */
    create(input: PasswordResetRequest, options?: CallOptions): Promise<Success>;
    /** Reads whose password a link resets */
    get(token: string, options?: CallOptions): Promise<PasswordResetHint>;
    /**
     * Sets a new password with a reset link
     *
     * The link works once, for 1 hour. Ends all sessions of the user in all tenants.
     */
    complete(token: string, input: PasswordReset, options?: CallOptions): Promise<Success>;
  };
  readonly views: {
    /** Lists the caller's views of a screen and the shared ones, by name */
    list(input: ViewsListQuery, options?: CallOptions): Promise<ListedViews>;
    /** Saves a view */
    create(input: SavedViewCreate, options?: CallOptions): Promise<IdReply>;
    /** Reads a view */
    get(id: string, options?: CallOptions): Promise<SavedView>;
    /** Updates a view; only its author and owners can */
    replace(id: string, input: SavedViewReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: SavedViewPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a view; only its author and owners can */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly drafts: {
    /**
     * Lists the caller's drafts of a kind, then the shared ones, newest first
     *
     * Without their content. Shared drafts are those of records that the caller can see.
     */
    list(input: DraftsListQuery, options?: CallOptions): Promise<ListedDrafts>;
    /** Reads a draft of the caller, or a shared one of another member */
    get(entityType: string, key: string, input?: DraftsGetQuery, options?: CallOptions): Promise<Draft>;
    /** Keeps a draft, in place of an earlier one of the same item */
    put(entityType: string, key: string, input: DraftBody, options?: CallOptions): Promise<DraftSaved>;
    /** Deletes a draft of the caller */
    delete(entityType: string, key: string, options?: CallOptions): Promise<DraftRemoved>;
  };
  readonly activity: {
    /**
     * Lists changes by members and operators, newest first
     *
     * Changes of all kinds of record except submissions, in the units that the caller can see.
     */
    list(input: ActivityQuery, options?: CallOptions): Promise<ActivityPage>;
  };
  readonly emailSettings: {
    /** Reads the email settings */
    get(options?: CallOptions): Promise<EmailSettings>;
    /**
     * Replaces the email settings
     *
     * Omitted `sandbox_mode` and `event_webhooks` keep their values. Requires the admin role on Default.
     */
    replace(input: EmailSettingsReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(input: EmailSettingsPatch, options?: CallOptions): Promise<IdReply>;
  };
  readonly subscriptionTypes: {
    /** Lists the subscription types */
    list(options?: CallOptions): Promise<SubscriptionTypeList>;
    /** Reads a subscription type */
    get(id: string, options?: CallOptions): Promise<SubscriptionType>;
  };
  readonly senderIdentities: {
    /** Lists the sender identities */
    list(options?: CallOptions): Promise<SenderIdentityList>;
    /**
     * Removes a sender identity
     *
     * Requires the admin role on Default.
     */
    delete(fromEmailAddress: string, options?: CallOptions): Promise<SenderIdentityReply>;
  };
  readonly sendingDomains: {
    /** Lists the sending domains, oldest first */
    list(options?: CallOptions): Promise<SendingDomainList>;
    /**
     * Adds a sending domain and creates its DKIM key
     *
     * Publish `dns_records`, then call verify. Without DNS, an operator can vouch for the domain. Requires the admin role on Default.
     */
    create(input: DomainCreate, options?: CallOptions): Promise<SendingDomain>;
    /**
     * Checks the DNS records of a sending domain
     *
     * A record whose DNS lookup takes over 5 s keeps its status. Requires the admin role on Default.
     */
    verify(domain: string, options?: CallOptions): Promise<SendingDomain>;
    /**
     * Deletes a sending domain and its DKIM key
     *
     * Requires the admin role on Default.
     */
    delete(domain: string, options?: CallOptions): Promise<DomainReply>;
    /**
     * Vouches for a tenant's sending domain, or revokes that
     *
     * Adds a missing domain. Vouching sets all checks to `valid`.
     */
    vouch(code: string, input: DomainVouch, options?: CallOptions): Promise<DomainReply>;
  };
  readonly suppressions: {
    /**
     * Lists suppressed recipients, newest first
     *
     * Default: page 1, 20 items. `search` looks in recipient and description.
     */
    list(input?: SuppressionsListQuery, options?: CallOptions): Promise<SuppressionList>;
    /** Lists suppressed recipients, newest first: all pages */
    all(input?: AllInput<SuppressionsListQuery>, options?: CallOptions): AsyncGenerator<SuppressionList['results'][number], void, undefined>;
    /** Reads the suppression of an address */
    get(recipient: string, options?: CallOptions): Promise<Suppression>;
    /**
     * Suppresses a recipient
     *
     * Existing suppressions stay unchanged. Requires the admin role on Default.
     */
    create(input: SuppressionCreate, options?: CallOptions): Promise<RecipientReply>;
    /**
     * Suppresses the recipients of a CSV file
     *
     * UTF-8 CSV with a header row: `recipient`, optional `type` (default `unsubscribe`) and `description`; other columns are ignored. At most 4 GiB. Rows are applied as they arrive; an invalid row fails alone. The response follows the last row. An interrupted file can be sent again. Requires the admin role on Default.
     */
    import(input: string | Blob | ReadableStream<Uint8Array>, options?: UploadOptions): Promise<ImportReply>;
    /** Reads the result of an import; kept for 30 days */
    getImport(id: string, options?: CallOptions): Promise<SuppressionImport>;
    /**
     * Removes the suppression of a recipient
     *
     * Requires the admin role on Default.
     */
    delete(recipient: string, options?: CallOptions): Promise<RecipientReply>;
    /**
     * Changes many suppressions
     *
     * Starts an operation. Call it with `dry_run` first, which counts the selected suppressions. Filters: type, description.
     */
    bulk(input: SuppressionBulkAction, options?: CallOptions): Promise<BulkReply>;
  };
  readonly templates: {
    /** Creates a template */
    create(input: TemplateCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists templates, newest first */
    list(input?: TemplatesListQuery, options?: CallOptions): Promise<TemplatePage>;
    /** Lists templates, newest first: all pages */
    all(input?: AllInput<TemplatesListQuery>, options?: CallOptions): AsyncGenerator<TemplatePage['results'][number], void, undefined>;
    /** Reads a template */
    get(id: string, options?: CallOptions): Promise<Template>;
    /** Updates a template; its versions stay */
    replace(id: string, input: TemplateReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: TemplatePatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a template and all of its versions */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Adds a version to a template */
    createVersion(templateId: string, input: TemplateVersionReplace, options?: CallOptions): Promise<IdVersionReply>;
    /**
     * Lists the versions of a template, newest first
     *
     * `limit` defaults to 20.
     */
    listVersions(templateId: string, input?: TemplatesListVersionsQuery, options?: CallOptions): Promise<TemplateVersionPage>;
    /** Lists the versions of a template, newest first: all pages */
    allVersions(templateId: string, input?: AllInput<TemplatesListVersionsQuery>, options?: CallOptions): AsyncGenerator<TemplateVersionPage['results'][number], void, undefined>;
    /** Reads a version */
    getVersion(templateId: string, id: string, options?: CallOptions): Promise<TemplateVersion>;
    /** Updates a version; its number stays */
    replaceVersion(templateId: string, id: string, input: TemplateVersionReplace, options?: CallOptions): Promise<IdVersionReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patchVersion(templateId: string, id: string, input: TemplateVersionPatch, options?: CallOptions): Promise<IdVersionReply>;
    /**
     * Deletes a version, unless it is the only one
     *
     * If it was active, the previous version becomes active.
     */
    deleteVersion(templateId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /** Renders a message without storing or sending it */
    preview(input: TemplatePreview, options?: CallOptions): Promise<TemplateRendered>;
    /** Copies a template with its active version */
    clone(input: TemplateClone, options?: CallOptions): Promise<TemplateCloned>;
  };
  readonly templateSnippets: {
    /** Creates a snippet */
    create(input: TemplateSnippetCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists snippets, newest first */
    list(input?: TemplateSnippetsListQuery, options?: CallOptions): Promise<TemplateSnippetPage>;
    /** Lists snippets, newest first: all pages */
    all(input?: AllInput<TemplateSnippetsListQuery>, options?: CallOptions): AsyncGenerator<TemplateSnippetPage['results'][number], void, undefined>;
    /** Reads a snippet */
    get(id: string, options?: CallOptions): Promise<TemplateSnippet>;
    /** Updates a snippet */
    replace(id: string, input: TemplateSnippetReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: TemplateSnippetPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a snippet; templates that include it fail to render */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly transmissions: {
    /**
     * Sends a stored template or inline content
     *
     * Templates read one flat object, merged by top-level key; later ones win: `metadata`, `substitution_data`, then the recipient's `metadata` and `substitution_data`. It also has `address.name`, `address.email` and, unless transactional, `unsubscribe_url`. A render error fails only its recipient.
     */
    create(input: TransmissionCreate, options?: CallOptions): Promise<TransmissionCreated>;
    /**
     * Lists transmissions, newest first
     *
     * `limit` defaults to 20; `from` and `to` are inclusive.
     */
    list(input?: TransmissionsListQuery, options?: CallOptions): Promise<TransmissionPage>;
    /** Lists transmissions, newest first: all pages */
    all(input?: AllInput<TransmissionsListQuery>, options?: CallOptions): AsyncGenerator<TransmissionPage['results'][number], void, undefined>;
    /** Reads a transmission with its progress */
    get(id: string, options?: CallOptions): Promise<Transmission>;
    /** Cancels a scheduled transmission */
    cancel(id: string, options?: CallOptions): Promise<TransmissionCancelled>;
    /**
     * Lists the status of each recipient, in request order
     *
     * `limit` defaults to 20.
     */
    listRecipients(id: string, input?: TransmissionsListRecipientsQuery, options?: CallOptions): Promise<TransmissionRecipientPage>;
    /** Lists the status of each recipient, in request order: all pages */
    allRecipients(id: string, input?: AllInput<TransmissionsListRecipientsQuery>, options?: CallOptions): AsyncGenerator<TransmissionRecipientPage['results'][number], void, undefined>;
    /** Reads the history of the mail to one recipient */
    tellStory(id: string, recipient: string, options?: CallOptions): Promise<RecipientHistory>;
  };
  readonly eventWebhooks: {
    /**
     * Sends a sample event to the target once
     *
     * Not a delivery: no retries. Requires the admin role on Default.
     */
    test(name: string, options?: CallOptions): Promise<WebhookTestReply>;
  };
  readonly providerHooks: {
    /**
     * Creates the URL for bounce and complaint notices of a mail provider
     *
     * Replaces the previous URL of this provider. Requires the admin role on Default.
     */
    create(input: ProviderHookCreate, options?: CallOptions): Promise<ProviderHookCreated>;
  };
  readonly outbox: {
    /**
     * Lists captured messages of all tenants, newest first
     *
     * Messages are captured while no relay is configured. Default: page 1, 20 items.
     */
    list(input?: OutboxListQuery, options?: CallOptions): Promise<OutboxItemPage>;
    /** Lists captured messages of all tenants, newest first: all pages */
    all(input?: AllInput<OutboxListQuery>, options?: CallOptions): AsyncGenerator<OutboxItemPage['results'][number], void, undefined>;
    /** Reads a captured message, parsed */
    get(id: string, options?: CallOptions): Promise<OutboxMessage>;
    /** Reads the raw captured message */
    raw(id: string, options?: CallOptions): Promise<Response>;
  };
  readonly forms: {
    /** Lists form types and post-submit actions */
    settings(options?: CallOptions): Promise<FormSettings>;
    /** Creates a form */
    create(input: FormCreate, options?: CallOptions): Promise<CodeReply>;
    /**
     * Lists forms, newest first
     *
     * Filters: name, active, form_type, business_unit, created_at. `search` looks in name.
     */
    list(input?: ListInput<FormListQuery, FormsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<FormListItemPage>;
    /** Lists forms, newest first: all pages */
    all(input?: AllInput<FormListQuery, FormsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<FormListItemPage['results'][number], void, undefined>;
    /** Reads a form */
    get(code: string, options?: CallOptions): Promise<Form>;
    /** Updates a form */
    replace(code: string, input: FormReplace, options?: CallOptions): Promise<SuccessCodeReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(code: string, input: FormPatch, options?: CallOptions): Promise<SuccessCodeReply>;
    /** Deletes a form and its webhooks; its submissions and history stay readable */
    delete(code: string, options?: CallOptions): Promise<CodeReply>;
    /** Reads what is needed to render a form */
    schema(code: string, options?: CallOptions): Promise<FormRendering>;
  };
  readonly formThemes: {
    /** Creates a form theme */
    create(input: FormThemeCreate, options?: CallOptions): Promise<CodeReplyWithWarnings>;
    /**
     * Lists form themes, newest first
     *
     * Filters: name, business_unit, created_at. `search` looks in name.
     */
    list(input?: ListInput<FormThemeListQuery, FormThemesListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<FormThemePage>;
    /** Lists form themes, newest first: all pages */
    all(input?: AllInput<FormThemeListQuery, FormThemesListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<FormThemePage['results'][number], void, undefined>;
    /** Reads a form theme */
    get(code: string, options?: CallOptions): Promise<FormTheme>;
    /** Updates a form theme */
    replace(code: string, input: FormThemeReplace, options?: CallOptions): Promise<SuccessCodeReplyWithWarnings>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(code: string, input: FormThemePatch, options?: CallOptions): Promise<SuccessCodeReplyWithWarnings>;
    /** Deletes a form theme; its history stays readable */
    delete(code: string, options?: CallOptions): Promise<CodeReply>;
  };
  readonly formSubmissions: {
    /**
     * Submits a form
     *
     * The engine that renders the form validates the answers; answers to hidden questions are dropped.
     */
    create(input: FormSubmissionCreate, options?: CallOptions): Promise<SubmissionIdReply>;
    /**
     * Lists submissions, newest first
     *
     * Filters: created_at, form_code, email_address, business_unit.
     */
    list(input?: ListInput<FormSubmissionListQuery, FormSubmissionsListFilters, 'created_at'>, options?: CallOptions): Promise<FormSubmissionPage>;
    /** Lists submissions, newest first: all pages */
    all(input?: AllInput<FormSubmissionListQuery, FormSubmissionsListFilters, 'created_at'>, options?: CallOptions): AsyncGenerator<FormSubmissionPage['results'][number], void, undefined>;
    /** Reads a submission */
    get(id: string, options?: CallOptions): Promise<FormSubmission>;
    /**
     * Deletes a submission; its history stays readable
     *
     * Drops its pending deliveries. To remove it from history too, use erase.
     */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Erases all submissions of an address, with history and deliveries
     *
     * Includes deleted submissions. Covers every unit in which the caller is an admin; for owners also archived units. Irreversible.
     */
    erase(input: FormSubmissionErasure, options?: CallOptions): Promise<FormSubmissionsErased>;
    /**
     * Changes many submissions
     *
     * Starts an operation. Call it with `dry_run` first, which counts the selected submissions. Filters: created_at, form_code, email_address, business_unit.
     */
    bulk(input: FormSubmissionBulkAction, options?: CallOptions): Promise<BulkReply>;
  };
  readonly webhooks: {
    /**
     * Creates a webhook for a form's submissions
     *
     * Belongs to the form's business unit.
     */
    create(input: WebhookCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists all webhooks, newest first */
    list(input?: WebhooksListQuery, options?: CallOptions): Promise<WebhookPage>;
    /** Lists all webhooks, newest first: all pages */
    all(input?: AllInput<WebhooksListQuery>, options?: CallOptions): AsyncGenerator<WebhookPage['results'][number], void, undefined>;
    /** Reads a webhook */
    get(id: string, input?: WebhooksGetQuery, options?: CallOptions): Promise<Webhook>;
    /**
     * Updates a webhook
     *
     * Deactivating drops pending deliveries. Pending retries use the new target.
     */
    replace(id: string, input: WebhookReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: WebhookPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a webhook and its delivery log; its history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Sends the test data to the target once
     *
     * Not a delivery: no retries, and `last_attempt_*` stays unchanged.
     */
    test(id: string, options?: CallOptions): Promise<WebhookTestReply>;
    /**
     * Lists the deliveries of a webhook, newest first
     *
     * Finished deliveries are kept for 30 days. `limit` defaults to 20.
     */
    listDeliveries(id: string, input?: WebhooksListDeliveriesQuery, options?: CallOptions): Promise<WebhookDeliveryPage>;
    /** Lists the deliveries of a webhook, newest first: all pages */
    allDeliveries(id: string, input?: AllInput<WebhooksListDeliveriesQuery>, options?: CallOptions): AsyncGenerator<WebhookDeliveryPage['results'][number], void, undefined>;
    /**
     * Repeats a delivery
     *
     * A finished delivery gets up to 5 new attempts; a pending one is attempted now.
     */
    redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly lists: {
    /** Creates a list */
    create(input: ListCreate, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists lists, newest first
     *
     * Filters: name, business_unit, created_at. `search` looks in name, description.
     */
    list(input?: ListInput<ListListQuery, ListsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<ListPage>;
    /** Lists lists, newest first: all pages */
    all(input?: AllInput<ListListQuery, ListsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<ListPage['results'][number], void, undefined>;
    /** Reads a list */
    get(id: string, options?: CallOptions): Promise<List>;
    /** Updates a list */
    replace(id: string, input: ListReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: ListPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a list and removes its members */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists the records that use a list
     *
     * Those that the caller can see, at most 100 of each kind.
     */
    usage(id: string, options?: CallOptions): Promise<Usage>;
    /**
     * Adds subscribers to a list
     *
     * Up to 10,000 subscribers, by address or id. An address selects the subscriber in the list's unit, else the oldest visible one.
     */
    addMembers(id: string, input: ListMembers, options?: CallOptions): Promise<ListMembersAdded>;
    /**
     * Removes subscribers from a list
     *
     * Up to 10,000 subscribers, by address or id. Subscribers that are unknown or not on the list are ignored.
     */
    removeMembers(id: string, input: ListMembers, options?: CallOptions): Promise<ListMembersRemoved>;
  };
  readonly subscribers: {
    /** Creates a subscriber */
    create(input: SubscriberCreate, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists subscribers, newest first
     *
     * Filters: first_name, last_name, email, active, business_unit, created_at, updated_at, lists, audiences, additional_fields_data.<name>. `search` looks in first_name, last_name, email.
     */
    list(input?: ListInput<SubscriberListQuery, SubscribersListFilters, 'created_at' | 'email'>, options?: CallOptions): Promise<SubscriberPage>;
    /** Lists subscribers, newest first: all pages */
    all(input?: AllInput<SubscriberListQuery, SubscribersListFilters, 'created_at' | 'email'>, options?: CallOptions): AsyncGenerator<SubscriberPage['results'][number], void, undefined>;
    /** Reads a subscriber */
    get(id: string, options?: CallOptions): Promise<Subscriber>;
    /** Updates a subscriber */
    replace(id: string, input: SubscriberReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: SubscriberPatch, options?: CallOptions): Promise<IdReply>;
    /** Permanently erases a subscriber with history and mails of its unit */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Creates or updates the subscriber with this address
     *
     * All fields are optional. By default a new subscriber is active and in no list, and its `first_name` is the local part of the address.
     */
    putByEmail(email: string, input: SubscriberByEmail, options?: CallOptions): Promise<SubscriberByEmailReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patchByEmail(email: string, input: SubscriberByEmail, options?: CallOptions): Promise<SubscriberByEmailReply>;
    /**
     * Explains which mail may be sent to a subscriber
     *
     * The checks are those of sending, at the time of the request.
     */
    reach(id: string, options?: CallOptions): Promise<SubscriberReach>;
    /** Counts reachable subscribers of lists or audiences */
    search(input: SubscriberSearch, options?: CallOptions): Promise<SubscriberCounts>;
    /**
     * Imports subscribers from CSV or JSON lines
     *
     * CSV: UTF-8, UTF-16, Windows-1252 or the declared charset. The header row has names of fields and of additional fields (prefix `additional_fields_data.` optional); `lists` and `audiences` are ids separated by `;`. JSON lines: one subscriber body per line. At most 4 GiB. Rows are applied after the response; an invalid row fails alone.
     */
    import(input: string | Blob | ReadableStream<Uint8Array>, options: QueryOptions<SubscribersImportQuery> & UploadOptions): Promise<ImportReply>;
    /**
     * Previews an import without storing anything
     *
     * The body is the first 1 MiB of a CSV file. Detects its encoding and delimiter, and recognizes headers of Excel, Numbers, Google, Brevo, HubSpot, listmonk and Mailchimp in English, German, French and Spanish. `suggested_field` can be sent as `mapping` of the import.
     */
    previewImport(input: string | Blob | ReadableStream<Uint8Array>, options?: UploadOptions): Promise<SubscriberImportPreview>;
    /** Reads progress and result of an import; kept for 30 days */
    getImport(id: string, options?: CallOptions): Promise<SubscriberImport>;
    /**
     * Lists what happened to a subscriber, newest first
     *
     * Mails, opens and clicks, submissions, journeys, consent and edits that the caller may see.
     */
    timeline(id: string, input?: SubscribersTimelineQuery, options?: CallOptions): Promise<SubscriberTimeline>;
    /**
     * Changes many subscribers
     *
     * Starts an operation. Call it with `dry_run` first, which counts the selected subscribers. Filters: first_name, last_name, email, active, business_unit, created_at, updated_at, lists, audiences.
     */
    bulk(input: SubscriberBulkAction, options?: CallOptions): Promise<BulkReply>;
  };
  readonly preferences: {
    /**
     * Reads the preferences of a link's owner
     *
     * For your own preferences page; the token is the end of `preferences_url`.
     */
    get(token: string, options?: CallOptions): Promise<Preferences>;
    /**
     * Saves the preferences of a link's owner
     *
     * For your own preferences page; the token is the end of `preferences_url`.
     */
    update(token: string, input: PreferencesUpdate, options?: CallOptions): Promise<PreferencesUpdated>;
  };
  readonly preferencePage: {
    /**
     * Renders the preference page without saving anything
     *
     * With the given types and brand instead of the saved ones, for a sample recipient. The form sends nothing.
     */
    preview(input: PreferencesPreview, options?: CallOptions): Promise<PreferencesRendered>;
  };
  readonly audiences: {
    /**
     * Creates an audience
     *
     * With `filters`, its members are the subscribers of its unit that match all of them.
     */
    create(input: AudienceCreate, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists audiences, newest first
     *
     * Filters: name, business_unit, created_at. `search` looks in name, description.
     */
    list(input?: ListInput<AudienceListQuery, AudiencesListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<AudiencePage>;
    /** Lists audiences, newest first: all pages */
    all(input?: AllInput<AudienceListQuery, AudiencesListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<AudiencePage['results'][number], void, undefined>;
    /** Reads an audience */
    get(id: string, options?: CallOptions): Promise<Audience>;
    /**
     * Updates an audience
     *
     * New `filters` recompute the members; without `filters`, only manually added subscribers remain.
     */
    replace(id: string, input: AudienceReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: AudiencePatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes an audience and removes its members */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists the records that use an audience
     *
     * Those that the caller can see, at most 100 of each kind.
     */
    usage(id: string, options?: CallOptions): Promise<Usage>;
    /**
     * Counts the subscribers that filters match
     *
     * Nothing is stored. Counting stops after about a second.
     */
    preview(input: AudiencePreviewRequest, options?: CallOptions): Promise<AudiencePreview>;
    /** Explains why a subscriber is in an audience or not */
    explain(id: string, input: AudienceExplanationRequest, options?: CallOptions): Promise<AudienceExplanation>;
  };
  readonly campaigns: {
    /** Creates a campaign */
    create(input: CampaignCreate, options?: CallOptions): Promise<CampaignCreated>;
    /**
     * Lists campaigns, newest first
     *
     * `search` looks in code, name, goal, audience.
     */
    list(input?: ListInput<CampaignQuery, never, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<CampaignList>;
    /** Lists campaigns, newest first: all pages */
    all(input?: AllInput<CampaignQuery, never, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<CampaignList['results'][number], void, undefined>;
    /** Reads a campaign with its figures */
    get(code: string, options?: CallOptions): Promise<CampaignWithMetrics>;
    /** Updates a campaign; its code stays */
    replace(code: string, input: CampaignReplace, options?: CallOptions): Promise<CampaignUpdated>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(code: string, input: CampaignPatch, options?: CallOptions): Promise<CampaignUpdated>;
    /** Deletes a campaign with its emails; its history stays readable */
    delete(code: string, options?: CallOptions): Promise<CampaignDeleted>;
  };
  readonly campaignEmails: {
    /** Adds an email to a campaign */
    create(campaignCode: string, input: CampaignEmailCreate, options?: CallOptions): Promise<CampaignEmailCreated>;
    /** Lists the emails of a campaign with figures, newest first */
    list(campaignCode: string, input?: CampaignEmailsListQuery, options?: CallOptions): Promise<CampaignEmailListItemPage>;
    /** Lists the emails of a campaign with figures, newest first: all pages */
    all(campaignCode: string, input?: AllInput<CampaignEmailsListQuery>, options?: CallOptions): AsyncGenerator<CampaignEmailListItemPage['results'][number], void, undefined>;
    /** Reads an email with content and figures */
    get(campaignCode: string, id: string, options?: CallOptions): Promise<CampaignEmailWithMetrics>;
    /** Updates an email before it is sent */
    replace(campaignCode: string, id: string, input: CampaignEmailReplace, options?: CallOptions): Promise<CampaignEmailUpdated>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(campaignCode: string, id: string, input: CampaignEmailPatch, options?: CallOptions): Promise<CampaignEmailUpdated>;
    /** Deletes an unsent email; its history stays readable */
    delete(campaignCode: string, id: string, options?: CallOptions): Promise<IdReply>;
    /** Copies an email into a campaign as a draft */
    clone(campaignCode: string, marketingEmailId: string, input: CampaignEmailClone, options?: CallOptions): Promise<CampaignEmailCloned>;
    /** Sends or schedules an email */
    process(campaignCode: string, id: string, options?: CallOptions): Promise<CampaignEmailProcessed>;
    /** Cancels a scheduled email or one being sent */
    cancel(code: string, id: string, options?: CallOptions): Promise<CampaignEmailStatusChange>;
    /** Turns a scheduled email into a draft */
    convertToDraft(campaignCode: string, id: string, options?: CallOptions): Promise<CampaignEmailStatusChange>;
    /**
     * Sends a test email; not counted in figures
     *
     * Uses the data of its oldest recipient; the subject starts with `[Test]`. Returns preflight problems and warnings.
     */
    test(code: string, id: string, input: CampaignEmailTest, options?: CallOptions): Promise<CampaignEmailTested>;
    /**
     * Retries messages that could not be rendered
     *
     * Fix the content first. No recipient gets the email twice. At most 50,000 messages per call.
     */
    retryFailed(code: string, id: string, options?: CallOptions): Promise<CampaignEmailRetried>;
    /**
     * Counts recipients and lists problems without sending
     *
     * Renders the email for sample recipients. Problems block sending, warnings do not.
     */
    preflight(code: string, id: string, options?: CallOptions): Promise<Preflight>;
    /** Reads the history of the email to one address */
    tellStory(code: string, id: string, recipient: string, options?: CallOptions): Promise<CampaignEmailRecipient>;
    /**
     * HTML of a message, by the token of its `view_in_browser_url`
     *
     * Its links to preferences, unsubscribe and browser view have no effect; those of `PUBLIC_URL/view/{token}` do.
     */
    preview(token: string, options?: CallOptions): Promise<CampaignEmailPreview>;
  };
  readonly campaignFigures: {
    /** Queries the figures of one email */
    query(campaignCode: string, marketingEmailId: string, input: MetricQuery, options?: CallOptions): Promise<MetricResult>;
    /** Reads the figures of several emails */
    list(campaignCode: string, input: EmailMetricsQuery, options?: CallOptions): Promise<MetricsByEmail>;
    /** Lists the clicked links of an email */
    clickedLinks(campaignCode: string, marketingEmailId: string, options?: CallOptions): Promise<ClickedLinks>;
    /** Lists the engagement of all recipients of a campaign */
    engagements(campaignCode: string, input?: ListInput<CampaignEngagementQuery, never, 'created_at'>, options?: CallOptions): Promise<CampaignEngagementPage>;
    /** Lists the engagement of all recipients of a campaign: all pages */
    allEngagements(campaignCode: string, input?: AllInput<CampaignEngagementQuery, never, 'created_at'>, options?: CallOptions): AsyncGenerator<CampaignEngagementPage['results'][number], void, undefined>;
    /** Lists a subscriber's engagement with emails */
    ofSubscriber(subscriberId: string, input?: ListInput<SubscriberEngagementQuery, never, 'created_at'>, options?: CallOptions): Promise<SubscriberEngagementPage>;
    /** Lists a subscriber's engagement with emails: all pages */
    allOfSubscriber(subscriberId: string, input?: AllInput<SubscriberEngagementQuery, never, 'created_at'>, options?: CallOptions): AsyncGenerator<SubscriberEngagementPage['results'][number], void, undefined>;
  };
  readonly marketingEvents: {
    /**
     * Records page views, purchases and engagement times
     *
     * Events of unknown subscribers are skipped; `accepted` counts the rest.
     */
    create(input: MarketingEvents, options?: CallOptions): Promise<MarketingEventsAccepted>;
    /** Counts events of a period by day, type or campaign */
    query(input: MarketingEventsQuery, options?: CallOptions): Promise<MarketingEventFigures>;
  };
  readonly journeys: {
    /** Creates a journey */
    create(input: JourneyCreate, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists journeys, newest first
     *
     * Filters: name, active, business_unit, created_at. `search` looks in name.
     */
    list(input?: ListInput<JourneyListQuery, JourneysListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<JourneyPage>;
    /** Lists journeys, newest first: all pages */
    all(input?: AllInput<JourneyListQuery, JourneysListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<JourneyPage['results'][number], void, undefined>;
    /** Reads a journey */
    get(id: string, options?: CallOptions): Promise<Journey>;
    /** Updates a journey */
    replace(id: string, input: JourneyReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: JourneyPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a journey; active states become `exited`, history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Enrolls a subscriber */
    enter(id: string, input: JourneyEnter, options?: CallOptions): Promise<JourneyEntered>;
    /**
     * Simulates a journey on a virtual clock
     *
     * The clock starts at `start_at`. The response includes each rendered mail.
     */
    simulate(id: string, input: JourneySimulate, options?: CallOptions): Promise<JourneySimulation>;
    /**
     * Lists the states of subscribers, newest first
     *
     * Filters: subscriber_id, status, current_step. Operations: eq, ne, between, like, nlike, gt, lt, gte, lte, in, nin, empty, nempty, nemptyarray.
     */
    listStates(id: string, input?: ListInput<JourneyStateListQuery, JourneysListStatesFilters, 'created_at'>, options?: CallOptions): Promise<JourneyStatePage>;
    /** Lists the states of subscribers, newest first: all pages */
    allStates(id: string, input?: AllInput<JourneyStateListQuery, JourneysListStatesFilters, 'created_at'>, options?: CallOptions): AsyncGenerator<JourneyStatePage['results'][number], void, undefined>;
    /** Reads a subscriber's state with its history */
    getState(id: string, stateId: string, options?: CallOptions): Promise<JourneyState>;
    /** Removes a subscriber from the journey */
    exitState(id: string, stateId: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly entities: {
    /**
     * Defines an entity
     *
     * Its records are available at once.
     */
    create(input: EntityCreate, options?: CallOptions): Promise<NameReply>;
    /** Lists all entities, newest first */
    list(options?: CallOptions): Promise<EntityList>;
    /** Reads the definition of an entity */
    get(name: string, options?: CallOptions): Promise<Entity>;
    /**
     * Updates the definition of an entity and its records
     *
     * Fields missing from `fields` are removed; those with values must be in `drop`. If existing records break a new rule, nothing changes. On large tables the request waits while indexes are built and records checked; new records must already meet the new rules.
     */
    replace(name: string, input: EntityReplace, options?: CallOptions): Promise<NameReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(name: string, input: EntityPatch, options?: CallOptions): Promise<NameReply>;
    /** Deletes an entity; with `drop=true` also its records */
    delete(name: string, input?: EntitiesDeleteQuery, options?: CallOptions): Promise<NameReply>;
  };
  readonly entityWebhooks: {
    /** Creates a webhook for record changes */
    create(input: EntityWebhookCreate, options?: CallOptions): Promise<EntityWebhook>;
    /** Lists webhooks without secrets */
    list(options?: CallOptions): Promise<EntityWebhookList>;
    /** Deletes a webhook */
    delete(id: string, options?: CallOptions): Promise<EntityWebhookDeleted>;
  };
  readonly documentModels: {
    /**
     * Lists document models without definitions, newest first
     *
     * `searchText` searches labels. `limit` defaults to 20.
     */
    list(projectId: string, input?: DocumentModelsListQuery, options?: CallOptions): Promise<DocumentModelSummaryPage>;
    /** Lists document models without definitions, newest first: all pages */
    all(projectId: string, input?: AllInput<DocumentModelsListQuery>, options?: CallOptions): AsyncGenerator<DocumentModelSummaryPage['results'][number], void, undefined>;
    /** Creates or updates the document model in the body */
    put(projectId: string, input: DocumentModelPut, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(projectId: string, input: DocumentModelPatch, options?: CallOptions): Promise<IdReply>;
    /** Reads a document model */
    get(projectId: string, id: string, options?: CallOptions): Promise<DocumentModel>;
    /** Deletes a document model; documents and history stay readable */
    delete(projectId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists the documents of a document model
     *
     * `limit` defaults to 20.
     */
    usage(projectId: string, id: string, input?: DocumentModelsUsageQuery, options?: CallOptions): Promise<ModelUsage>;
    /** Lists the documents of a document model: all pages */
    allUsage(projectId: string, id: string, input?: AllInput<DocumentModelsUsageQuery>, options?: CallOptions): AsyncGenerator<ModelUsage['results'][number], void, undefined>;
  };
  readonly sliceModels: {
    /**
     * Lists slices of the project and core slices, with counts per value
     *
     * `searchText` searches names. `limit` defaults to 20. Repeat a filter, with or without `[]`, to match any of its values.
     */
    list(projectId: string, input?: SliceModelsListQuery, options?: CallOptions): Promise<SliceModelPage>;
    /** Lists slices of the project and core slices, with counts per value: all pages */
    all(projectId: string, input?: AllInput<SliceModelsListQuery>, options?: CallOptions): AsyncGenerator<SliceModelPage['results'][number], void, undefined>;
    /**
     * Creates or updates the slice model in the body
     *
     * Only owners write core slices.
     */
    put(projectId: string, input: SliceModelPut, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(projectId: string, input: SliceModelPatch, options?: CallOptions): Promise<IdReply>;
    /** Reads a slice model */
    get(projectId: string, id: string, options?: CallOptions): Promise<SliceModel>;
    /** Deletes a slice model; its history stays readable */
    delete(projectId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists uses of a slice model: document models, slices, site settings, documents
     *
     * For a core slice: in all projects visible to you. `limit` defaults to 20.
     */
    usage(projectId: string, id: string, input?: SliceModelsUsageQuery, options?: CallOptions): Promise<ModelUsage>;
    /** Lists uses of a slice model: document models, slices, site settings, documents: all pages */
    allUsage(projectId: string, id: string, input?: AllInput<SliceModelsUsageQuery>, options?: CallOptions): AsyncGenerator<ModelUsage['results'][number], void, undefined>;
  };
  readonly documents: {
    /**
     * Reads the newest document that matches the query
     *
     * Requires `id`, `document_model_id` or `uid`.
     */
    get(projectId: string, input?: DocumentsGetQuery, options?: CallOptions): Promise<Document>;
    /**
     * Lists documents, newest first
     *
     * Filters: uid, name, document_model_id, status, created_at, updated_at. `search` looks in uid, name.
     */
    list(projectId: string, input?: ListInput<DocumentListQuery, DocumentsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<DocumentPage>;
    /** Lists documents, newest first: all pages */
    all(projectId: string, input?: AllInput<DocumentListQuery, DocumentsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<DocumentPage['results'][number], void, undefined>;
    /** Creates or updates a document */
    put(projectId: string, id: string, input: DocumentReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(projectId: string, id: string, input: DocumentPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a document; its history stays readable */
    delete(projectId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Searches link targets for autocompletion, newest first
     *
     * Excludes models whose `metadata.linkable` is false. `search` covers name and uid.
     */
    search(projectId: string, input: DocumentSearch, options?: CallOptions): Promise<FoundDocumentList>;
    /**
     * Changes many documents
     *
     * Starts an operation. Call it with `dry_run` first, which counts the selected documents. Filters: uid, name, document_model_id, status, created_at, updated_at.
     */
    bulk(projectId: string, input: DocumentBulkAction, options?: CallOptions): Promise<BulkReply>;
  };
  readonly redirects: {
    /** Creates a redirect */
    create(projectId: string, input: RedirectCreate, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists redirects, newest first
     *
     * Filters: source_domain, rule_type, redirect_type, is_active, created_at, business_unit.
     */
    list(projectId: string, input?: ListInput<RedirectListQuery, RedirectsListFilters, 'created_at' | 'updated_at'>, options?: CallOptions): Promise<RedirectPage>;
    /** Lists redirects, newest first: all pages */
    all(projectId: string, input?: AllInput<RedirectListQuery, RedirectsListFilters, 'created_at' | 'updated_at'>, options?: CallOptions): AsyncGenerator<RedirectPage['results'][number], void, undefined>;
    /**
     * Returns the redirect for a path
     *
     * Order: static rules, then patterns by priority, then by age. Fast enough for every page request.
     */
    check(projectId: string, input: RedirectTest, options?: CallOptions): Promise<RedirectCheck>;
    /** Reads a redirect */
    get(projectId: string, id: string, options?: CallOptions): Promise<Redirect>;
    /** Updates a redirect */
    replace(projectId: string, id: string, input: RedirectReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(projectId: string, id: string, input: RedirectPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a redirect; its history stays readable */
    delete(projectId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Changes many redirects
     *
     * Starts an operation. Call it with `dry_run` first, which counts the selected redirects. Filters: source_domain, rule_type, redirect_type, is_active, created_at, business_unit.
     */
    bulk(projectId: string, input: RedirectBulkAction, options?: CallOptions): Promise<BulkReply>;
  };
  readonly siteSettings: {
    /** Reads the settings of a site */
    get(projectId: string, options?: CallOptions): Promise<SiteSettings>;
    /**
     * Replaces the settings of a site
     *
     * Unknown fields are stored unchanged.
     */
    replace(projectId: string, input: SiteSettingsReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(projectId: string, input: SiteSettingsReplace, options?: CallOptions): Promise<IdReply>;
  };
  readonly previewSnapshots: {
    /**
     * Stores the unsaved state of a document for a preview
     *
     * The document need not exist yet. Anyone with the token can read the snapshot for 24 hours.
     */
    create(projectId: string, documentId: string, input: PreviewSnapshotCreate, options?: CallOptions): Promise<PreviewSnapshotCreated>;
    /** Reads a snapshot by its token; needs no key */
    get(token: string, options?: CallOptions): Promise<PreviewSnapshot>;
  };
  readonly assets: {
    /**
     * Uploads a file
     *
     * Form data: `file` (at most 100 MiB); optional `name`, `folder`, `alt`, repeated `tags`. The type is detected from the content. Corrupt images and images over 100 megapixels are rejected.
     */
    create(input: AssetUpload, options?: UploadOptions): Promise<AssetReply>;
    /**
     * Lists assets, newest first
     *
     * Filters: name, folder, mime_type, size, created_at, tags. `search` looks in name, alt.
     */
    list(input?: ListInput<AssetListQuery, AssetsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<AssetPage>;
    /** Lists assets, newest first: all pages */
    all(input?: AllInput<AssetListQuery, AssetsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<AssetPage['results'][number], void, undefined>;
    /** Reads an asset's metadata */
    get(id: string, options?: CallOptions): Promise<Asset>;
    /** Replaces an asset's name, folder, alt and tags */
    replace(id: string, input: AssetReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: AssetReplace, options?: CallOptions): Promise<IdReply>;
    /** Deletes an asset with its files */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * File of an asset; images in any size and format
     *
     * `file` may be any name. Supports conditional and range requests. Types that a browser could execute are sent as downloads.
     */
    download(id: string, file: string, input?: AssetsDownloadQuery, options?: CallOptions): Promise<Response>;
    /**
     * Changes many assets
     *
     * Starts an operation. Call it with `dry_run` first, which counts the selected assets. Filters: name, folder, mime_type, size, created_at, tags.
     */
    bulk(input: AssetBulkAction, options?: CallOptions): Promise<BulkReply>;
  };
  readonly queueMessages: {
    /**
     * Publishes a message to the automations of a queue
     *
     * Queues need no setup. A message waits up to 7 days for an active automation.
     */
    publish(queueName: string, input: QueueMessage, options?: CallOptions): Promise<QueueMessageReply>;
  };
  readonly aiAssistants: {
    /** Creates an assistant */
    create(input: AssistantCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists assistants, newest first */
    list(input?: AiAssistantsListQuery, options?: CallOptions): Promise<AssistantSummaryPage>;
    /** Lists assistants, newest first: all pages */
    all(input?: AllInput<AiAssistantsListQuery>, options?: CallOptions): AsyncGenerator<AssistantSummaryPage['results'][number], void, undefined>;
    /** Reads an assistant */
    get(id: string, options?: CallOptions): Promise<Assistant>;
    /** Updates an assistant */
    replace(id: string, input: AssistantReplace, options?: CallOptions): Promise<SuccessReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: AssistantPatch, options?: CallOptions): Promise<SuccessReply>;
    /** Deletes an assistant; its history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly aiThreads: {
    /**
     * Creates a thread with the given messages
     *
     * The thread starts with the given `version` and `created_at`.
     */
    create(input: Optional<ThreadCreate, 'version' | 'created_at'>, options?: CallOptions): Promise<IdReply>;
    /**
     * Lists threads, newest first
     *
     * Threads of one user, without messages.
     */
    list(input: AiThreadsListQuery, options?: CallOptions): Promise<ThreadSummaryPage>;
    /** Lists threads, newest first: all pages */
    all(input: AllInput<AiThreadsListQuery>, options?: CallOptions): AsyncGenerator<ThreadSummaryPage['results'][number], void, undefined>;
    /** Reads a thread with all its messages */
    get(id: string, options?: CallOptions): Promise<Thread>;
    /**
     * Adds messages to a thread
     *
     * Atomic. Requires the current version; a concurrent writer gets 409 and reads again.
     */
    replace(id: string, input: ThreadReplace, options?: CallOptions): Promise<IdVersionReply>;
    /** Deletes a thread; its history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Adds a message and the assistant's answer
     *
     * Adds message and answer atomically. Clients that accept `text/event-stream` get a stream: events `delta {text}`, then `message` or `error`. After an answer with `tool_use` blocks, send a message with their `tool_result` blocks.
     */
    reply(id: string, input?: ReplyBody, options?: CallOptions): Promise<Message>;
    /** Adds a message and the assistant's answer, as events */
    replyStream(id: string, input?: ReplyBody, options?: CallOptions): AsyncGenerator<ReplyEvent<Message>, void, undefined>;
  };
  readonly aiIndexes: {
    /** Creates a vector index */
    create(input: VectorIndexCreate, options?: CallOptions): Promise<NameReply>;
    /** Lists vector indexes, newest first */
    list(input?: AiIndexesListQuery, options?: CallOptions): Promise<VectorIndexPage>;
    /** Lists vector indexes, newest first: all pages */
    all(input?: AllInput<AiIndexesListQuery>, options?: CallOptions): AsyncGenerator<VectorIndexPage['results'][number], void, undefined>;
    /** Reads a vector index */
    get(name: string, options?: CallOptions): Promise<VectorIndexWithCounts>;
    /** Deletes a vector index with its items */
    delete(name: string, options?: CallOptions): Promise<VectorIndexDeleted>;
    /**
     * Adds texts to an index, or replaces them by id
     *
     * Computes the vectors. Items whose text the embeddings provider rejects (empty or too long) are skipped; the others are written atomically. Metadata must match the index definition.
     */
    upsert(name: string, input: VectorIndexUpsert, options?: CallOptions): Promise<AiIndexWriteReply>;
    /**
     * Finds the texts most similar to a text
     *
     * Exact search among items that match the filter. Operations are those of lists; an array matches if any element does.
     */
    query(name: string, input: VectorIndexQuery, options?: CallOptions): Promise<VectorIndexMatches>;
    /** Lists the texts of an index by id */
    listItems(name: string, input?: AiIndexesListItemsQuery, options?: CallOptions): Promise<VectorIndexItemPage>;
    /** Lists the texts of an index by id: all pages */
    allItems(name: string, input?: AllInput<AiIndexesListItemsQuery>, options?: CallOptions): AsyncGenerator<VectorIndexItemPage['results'][number], void, undefined>;
    /** Deletes texts of an index */
    deleteItems(name: string, input: VectorIndexItemIds, options?: CallOptions): Promise<VectorIndexItemsDeleted>;
    /** Reads a text of an index */
    getItem(name: string, id: string, options?: CallOptions): Promise<VectorIndexItem>;
  };
  readonly aiUsage: {
    /** Reads tokens used in a period, by assistant and model */
    read(input?: AiUsageReadQuery, options?: CallOptions): Promise<AiUsage>;
  };
  readonly aiBudget: {
    /** Reads the monthly token budget and this month's usage */
    read(options?: CallOptions): Promise<AiBudgetState>;
    /** Sets the monthly token budget; null removes it */
    replace(input: AiBudget, options?: CallOptions): Promise<AiBudgetState>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(input: AiBudgetPatch, options?: CallOptions): Promise<AiBudgetState>;
  };
  readonly aiConversations: {
    /**
     * Creates a token for a conversation on a page, valid for 1 hour
     *
     * The page uses it for `POST /api/ai/conversation/messages`. Without `thread_id`, the first message opens a thread.
     */
    engage(input: EngageBody, options?: CallOptions): Promise<ConversationToken>;
    /**
     * Sends a message and returns the assistant's answer
     *
     * Requires the conversation token; any origin. Clients that accept `text/event-stream` get a stream: events `delta {text}`, then `message {thread_id, message}` or `error`.
     */
    say(input: ConversationMessageCreate, options?: CallOptions): Promise<ConversationReply>;
    /** Sends a message and returns the assistant's answer, as events */
    sayStream(input: ConversationMessageCreate, options?: CallOptions): AsyncGenerator<ReplyEvent<ConversationReply>, void, undefined>;
  };
  readonly console: {
    /** Signs in (form of the page) */
    submitSignIn(input: string | Blob | ReadableStream<Uint8Array>, options?: UploadOptions): Promise<Response>;
    /** A script, stylesheet or font of the console */
    asset(file: string, options?: CallOptions): Promise<Response>;
  };
  readonly entityVersions: {
    /**
     * Lists all versions of a record, oldest first, or a page of them
     *
     * Empty for an unknown record. Includes deleted records. With `page`, `limit`, `order` or `data`: a page.
     */
    list(input: EntityVersionsListQuery, options?: CallOptions): Promise<VersionRecordList>;
    /** Reads one version of a record */
    get(version: string, input: EntityVersionsGetQuery, options?: CallOptions): Promise<VersionRecord>;
  };
  readonly entityRecords: {
    /** Reads the title and state of a record in history, and what can be restored */
    get(input: EntityRecordsGetQuery, options?: CallOptions): Promise<RecordSummary>;
  };
  readonly deletedRecords: {
    /** Lists up to 1,000 deleted records and old versions, newest first */
    list(input: DeletedRecordsListQuery, options?: CallOptions): Promise<DeletedRecordList>;
    /** Lists deleted records of all kinds, newest first */
    search(input?: ListInput<DeletedListQuery, DeletedRecordsSearchFilters>, options?: CallOptions): Promise<DeletedItemPage>;
    /** Lists deleted records of all kinds, newest first: all pages */
    allSearch(input?: AllInput<DeletedListQuery, DeletedRecordsSearchFilters>, options?: CallOptions): AsyncGenerator<DeletedItemPage['results'][number], void, undefined>;
    /**
     * Restores a deleted record or an older version as next version
     *
     * The create and update rules of the record apply.
     */
    restore(input: RestoreRecord, options?: CallOptions): Promise<RestoredRecord>;
  };
  readonly search: {
    /**
     * Finds records of all kinds by id, code, address or name
     *
     * At most 5 records of a kind, first those that `query` identifies.
     */
    records(input: Search, options?: CallOptions): Promise<SearchResults>;
  };
  readonly projects: {
    /**
     * Lists projects, newest first
     *
     * Returns an array of all; with `page`, `limit` or sort options a page. `name` matches exactly, `search` partially.
     */
    list(input?: ProjectsListQuery, options?: CallOptions): Promise<PageProjects>;
    /** Reads a project */
    get(id: string, options?: CallOptions): Promise<PageProject>;
    /** Creates or updates a project */
    replace(id: string, input: PageProjectReplace, options?: CallOptions): Promise<IdReply>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(id: string, input: PageProjectPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a project with its content; history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /**
     * Copies a project with its content
     *
     * The copy is complete when the request returns. A copy of a template stays linked to that template.
     */
    duplicate(id: string, input: PageProjectDuplicate, options?: CallOptions): Promise<IdReply>;
    /**
     * Syncs new and changed models from the project's template
     *
     * Models changed or deleted in the project stay, with a warning.
     */
    syncTemplate(id: string, options?: CallOptions): Promise<PageProjectSynced>;
  };
  readonly automations: {
    /** Lists the action types */
    listActionTypes(options?: CallOptions): Promise<ActionTypeList>;
    /**
     * Lists automations, newest first
     *
     * Filters: key, name, app, module, entityKey, triggerType, active, created_at. `search` looks in key, name.
     */
    list(input?: ListInput<AutomationListQuery, AutomationsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): Promise<AutomationPage>;
    /** Lists automations, newest first: all pages */
    all(input?: AllInput<AutomationListQuery, AutomationsListFilters, 'created_at' | 'name' | 'updated_at'>, options?: CallOptions): AsyncGenerator<AutomationPage['results'][number], void, undefined>;
    /** Reads an automation */
    get(key: string, options?: CallOptions): Promise<AutomationWithFigures>;
    /**
     * Updates an automation
     *
     * Runs already requested keep their version.
     */
    replace(key: string, input: AutomationReplace, options?: CallOptions): Promise<AutomationKey>;
    /**
     * Updates the given fields
     *
     * Like the PUT, but no field is required.
     */
    patch(key: string, input: AutomationPatch, options?: CallOptions): Promise<AutomationKey>;
    /**
     * Deletes an automation; its history stays readable
     *
     * Runs that have not started are skipped.
     */
    delete(key: string, options?: CallOptions): Promise<AutomationKey>;
    /** Creates an automation */
    create(input: AutomationCreate, options?: CallOptions): Promise<AutomationKey>;
    /**
     * Simulates a run without effects
     *
     * Writes nothing, calls nothing and stores no run.
     */
    test(key: string, input?: AutomationTrigger, options?: CallOptions): Promise<AutomationTest>;
    /**
     * Lists the runs of an automation, newest first
     *
     * Finished runs are kept for 30 days. `limit` defaults to 20.
     */
    listRuns(key: string, input?: AutomationsListRunsQuery, options?: CallOptions): Promise<AutomationRunPage>;
    /** Lists the runs of an automation, newest first: all pages */
    allRuns(key: string, input?: AllInput<AutomationsListRunsQuery>, options?: CallOptions): AsyncGenerator<AutomationRunPage['results'][number], void, undefined>;
    /** Reads a run with its trigger, inputs and results */
    getRun(key: string, runId: string, options?: CallOptions): Promise<AutomationRunStory>;
    /**
     * Starts a run manually
     *
     * The run is stored when this returns and starts shortly after.
     */
    run(key: string, input?: AutomationTrigger, options?: CallOptions): Promise<AutomationRunId>;
    /**
     * Resumes a failed run at the failed action
     *
     * Continues the same run with its version of the automation.
     */
    replayRun(key: string, runId: string, options?: CallOptions): Promise<AutomationRunId>;
    /**
     * Cancels a queued run
     *
     * Its status becomes `skipped`.
     */
    cancelRun(key: string, runId: string, options?: CallOptions): Promise<AutomationRunId>;
  };
  readonly automationRuns: {
    /**
     * Lists the runs of all automations, newest first
     *
     * Filters: status, key.
     */
    list(input?: ListInput<AutomationRunListQuery, AutomationRunsListFilters, 'created_at'>, options?: CallOptions): Promise<AutomationRunPage>;
    /** Lists the runs of all automations, newest first: all pages */
    all(input?: AllInput<AutomationRunListQuery, AutomationRunsListFilters, 'created_at'>, options?: CallOptions): AsyncGenerator<AutomationRunPage['results'][number], void, undefined>;
  };
  readonly deliveries: {
    /**
     * Lists the deliveries of all webhooks, newest first
     *
     * Of webhooks that the caller sees. Filters: status, kind, webhook_id, status_code, created_at, id.
     */
    list(input?: ListInput<DeliveryListQuery, DeliveriesListFilters, 'created_at'>, options?: CallOptions): Promise<DeliveryPage>;
    /** Lists the deliveries of all webhooks, newest first: all pages */
    all(input?: AllInput<DeliveryListQuery, DeliveriesListFilters, 'created_at'>, options?: CallOptions): AsyncGenerator<DeliveryPage['results'][number], void, undefined>;
    /** Reads a delivery with its request and attempts */
    get(id: string, options?: CallOptions): Promise<DeliveryDetail>;
    /**
     * Repeats up to 100,000 deliveries
     *
     * Those that match, of active webhooks that the caller may change. Finished ones get up to 5 new attempts; pending ones are attempted now. Filters: status, kind, webhook_id, status_code, created_at, id.
     */
    redeliver(input: Redelivery, options?: CallOptions): Promise<RedeliveryReply>;
  };
  readonly reports: {
    /**
     * Exports records as CSV, sent by mail
     *
     * Exports the records that the caller can read. `filters` are those of the list; a plain value means `eq`, an array `in`; `from` and `to` limit the rows' date. At most 60 per hour and tenant.
     */
    export(input: ReportExport, options?: CallOptions): Promise<ReportExportQueued>;
    /**
     * Reads the progress of an export
     *
     * For the requester and owners.
     */
    getExport(messageId: string, options?: CallOptions): Promise<ReportExportProgress>;
    /**
     * Downloads an export that is too large for mail
     *
     * The link in the mail: valid for 7 days without a key.
     */
    download(token: string, options?: CallOptions): Promise<Response>;
  };
  readonly longOperations: {
    /**
     * Lists operations, newest first
     *
     * The caller's own; of an owner, all of the tenant. Filters: kind, status, created_at, started_by.
     */
    list(input?: ListInput<OperationListQuery, LongOperationsListFilters, 'created_at'>, options?: CallOptions): Promise<OperationListItemPage>;
    /** Lists operations, newest first: all pages */
    all(input?: AllInput<OperationListQuery, LongOperationsListFilters, 'created_at'>, options?: CallOptions): AsyncGenerator<OperationListItemPage['results'][number], void, undefined>;
    /**
     * Reads the operations that have not ended
     *
     * With `If-None-Match`: 304 while nothing has changed.
     */
    running(options?: CallOptions): Promise<RunningOperations>;
    /** Reads an operation with its results */
    get(id: string, options?: CallOptions): Promise<OperationDetail>;
    /**
     * Cancels an operation
     *
     * What it has done stays. Waits for the part under way, at most a few seconds. One that has ended stays as it is.
     */
    cancel(id: string, options?: CallOptions): Promise<OperationDetail>;
    /**
     * Reverts an operation, by another one
     *
     * Within 7 days. Records that have changed since stay as they are, and are listed in `problems`.
     */
    revert(id: string, input: OperationRevert, options?: CallOptions): Promise<OperationRevertReply>;
  };
  readonly overview: {
    /**
     * Reads what needs attention, what runs now, and figures of today
     *
     * Of what the caller sees. Cheap enough to be read once a minute.
     */
    get(options?: CallOptions): Promise<Overview>;
  };
}
