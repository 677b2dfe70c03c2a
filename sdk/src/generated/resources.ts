/** Generated from openapi.json by `npm run sdk`. */
import type { CallOptions, UploadOptions } from '../options.ts';
import type { StreamEvent } from '../streams.ts';
import type {
  ActionTypeList,
  Activation,
  AiBudget,
  AiBudgetPatch,
  AiBudgetState,
  AiIndexWriteReply,
  AiUsage,
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyPage,
  Asset,
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
  AudienceListQuery,
  AudiencePage,
  AudiencePatch,
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
  ConversationMessageCreate,
  ConversationReply,
  ConversationToken,
  DeletedItemPage,
  DeletedListQuery,
  DeletedRecordList,
  Document,
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
  EmailRecipientStory,
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
  ListSort,
  MarketingEventFigures,
  MarketingEvents,
  MarketingEventsAccepted,
  MarketingEventsQuery,
  MembershipCreate,
  MembershipCreated,
  MembershipIdReply,
  MembershipPage,
  MembershipUpdate,
  Message,
  MetricQuery,
  MetricResult,
  MetricsByEmail,
  MetricsOfEmails,
  ModelUsage,
  NameReply,
  OperatorKeyCreate,
  OutboxItemPage,
  OutboxMessage,
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
  PreferencesUpdate,
  PreferencesUpdated,
  Preflight,
  PreviewSnapshot,
  PreviewSnapshotCreate,
  PreviewSnapshotCreated,
  ProviderHookCreate,
  ProviderHookCreated,
  QueueMessage,
  QueueMessageReply,
  RecipientReply,
  RecipientStory,
  Redirect,
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
  SearchText,
  SenderIdentityList,
  SenderIdentityReply,
  SendingDomain,
  SendingDomainList,
  Settings,
  SettingsPatch,
  SettingsReplace,
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
  SubscriberByEmail,
  SubscriberByEmailReply,
  SubscriberCounts,
  SubscriberCreate,
  SubscriberEngagementPage,
  SubscriberEngagementQuery,
  SubscriberImport,
  SubscriberListQuery,
  SubscriberPage,
  SubscriberPatch,
  SubscriberReplace,
  SubscriberSearch,
  SubscriptionType,
  SubscriptionTypeList,
  Success,
  SuccessCodeReply,
  SuccessCodeReplyWithWarnings,
  SuccessReply,
  Suppression,
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
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface BusinessUnitsListQuery {
  /** `true`: the archived units of the tenant instead, for owners only. */
  archived?: "true" | "false" | undefined;
}

export interface MembershipsListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface ApiKeysListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface SuppressionsListQuery {
  page?: PageNumber | undefined;
  pageSize?: PageLimit | undefined;
  type?: "bounce" | "complaint" | "unsubscribe" | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TemplatesListQuery {
  /** Part of the name. */
  name?: string | undefined;
  /** Exactly this type. */
  type?: string | undefined;
  search?: SearchText | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TemplatesListVersionsQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TemplateSnippetsListQuery {
  search?: SearchText | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TransmissionsListQuery {
  state?: "scheduled" | "generating" | "sending" | "completed" | "cancelled" | "failed" | undefined;
  /** A tag of one of the recipients. */
  tag?: string | undefined;
  /** Accepted then or later: an ISO 8601 date or time. */
  from?: string | undefined;
  /** Accepted then or earlier. */
  to?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface TransmissionsListRecipientsQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
}

export interface OutboxListQuery {
  /** Messages to this address only, whatever its case. */
  to?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
}

export interface WebhooksListQuery {
  form_code?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface WebhooksListDeliveriesQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface CampaignEmailsListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface EntitiesDeleteQuery {
  /** Deletes the records as well. Default: false. */
  drop?: boolean | undefined;
}

export interface DocumentModelsListQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
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
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
  searchText?: SearchText | undefined;
  /** Newest first by this, unless `sort` is given. */
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

export interface AssetsDownloadQuery {
  w?: number | undefined;
  h?: number | undefined;
  /** With both sides: fill them and cut off what stands over, or lie within. Default: cover. */
  fit?: "cover" | "contain" | undefined;
  /** Default: its own, or webp. */
  format?: "webp" | "avif" | "jpeg" | "png" | undefined;
  /** Quality. Default: 80. */
  q?: number | undefined;
}

export interface AiAssistantsListQuery {
  /** Id, slug or name of the owning business unit. */
  business_unit?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface AiThreadsListQuery {
  /** Letters, digits, hyphens and underscores. */
  user_id: string;
  /** Id, slug or name of the owning business unit. */
  business_unit?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface AiIndexesListQuery {
  /** Id, slug or name of the owning business unit. */
  business_unit?: string | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface AiIndexesListItemsQuery {
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
}

export interface AiUsageReadQuery {
  /** An ISO 8601 date or time: its day in UTC. */
  from?: string | undefined;
  /** An ISO 8601 date or time: its day in UTC. */
  to?: string | undefined;
}

export interface EntityVersionsListQuery {
  entityType: EntityTypeName;
  entitySortKey: EntitySortKey;
}

export interface EntityVersionsGetQuery {
  entityType: EntityTypeName;
  entitySortKey: EntitySortKey;
}

export interface DeletedRecordsListQuery {
  entityType: EntityTypeName;
}

export interface ProjectsListQuery {
  name?: string | undefined;
  search?: SearchText | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

export interface AutomationsListRunsQuery {
  status?: "queued" | "running" | "succeeded" | "failed" | "skipped" | undefined;
  page?: PageNumber | undefined;
  limit?: PageLimit | undefined;
  sort?: ListSort | undefined;
  after?: ListCursor | undefined;
  "fields[]"?: ListFields | undefined;
  count?: ListCountText | undefined;
}

/** The resources of the API. All calls throw `TesseraError`. */
export interface Resources {
  readonly tenant: {
    /** Tells which tenant the key belongs to */
    info(options?: CallOptions): Promise<TenantInfo>;
    /** Tells the tenant and how this installation is set up */
    healthcheck(options?: CallOptions): Promise<HealthCheck>;
  };
  readonly tenants: {
    /** Creates a tenant with its Default unit, an owner and a first API key */
    create(input: TenantCreate, options?: CallOptions): Promise<TenantCreated>;
    /** Lists all tenants, newest first */
    list(input?: TenantsListQuery, options?: CallOptions): Promise<TenantItemPage>;
    /** Lists all tenants, newest first: all pages */
    all(input?: Omit<TenantsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<TenantItemPage['results'][number], void, undefined>;
    /** Deletes all data of a tenant; the tenant, its owners, their keys and the Default unit stay */
    reset(code: string, input: TenantReset, options?: CallOptions): Promise<TenantResetReply>;
    /** Renames a tenant, changes its brand, suspends it or makes it active again */
    update(code: string, input: TenantUpdate, options?: CallOptions): Promise<TenantKey>;
    /** Changes the given members */
    patch(code: string, input: TenantUpdate, options?: CallOptions): Promise<TenantKey>;
    /** Deletes a tenant with all its data permanently */
    delete(code: string, input: TenantReset, options?: CallOptions): Promise<TenantKey>;
  };
  readonly businessUnits: {
    /** Lists the active units that the caller may act in */
    list(input?: BusinessUnitsListQuery, options?: CallOptions): Promise<AuthorizedUnits>;
    /** Creates a unit */
    create(input: UnitCreate, options?: CallOptions): Promise<UnitKey>;
    /** Renames a unit; its slug stays */
    rename(buId: string, input: UnitRename, options?: CallOptions): Promise<UnitKey>;
    /** Changes the given members */
    patch(buId: string, input: UnitRenamePatch, options?: CallOptions): Promise<UnitKey>;
    /** Archives a unit: its records disappear from reads, nothing is deleted */
    archive(buId: string, options?: CallOptions): Promise<UnitKey>;
    /** Makes an archived unit active again, with all its records and grants */
    restore(buId: string, options?: CallOptions): Promise<UnitKey>;
    /** Chooses the Active unit: gives a token that is valid for 12 hours */
    activate(buId: string, options?: CallOptions): Promise<Activation>;
  };
  readonly myMemberships: {
    /** Lists the caller's memberships in all tenants */
    list(options?: CallOptions): Promise<OwnMemberships>;
  };
  readonly memberships: {
    /** Adds a person to the tenant */
    create(input: MembershipCreate, options?: CallOptions): Promise<MembershipCreated>;
    /** Lists all memberships with their grants, newest first */
    list(input?: MembershipsListQuery, options?: CallOptions): Promise<MembershipPage>;
    /** Lists all memberships with their grants, newest first: all pages */
    all(input?: Omit<MembershipsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<MembershipPage['results'][number], void, undefined>;
    /** Changes status, ownership or the set of grants */
    update(membershipId: string, input: MembershipUpdate, options?: CallOptions): Promise<MembershipIdReply>;
    /** Changes the given members */
    patch(membershipId: string, input: MembershipUpdate, options?: CallOptions): Promise<MembershipIdReply>;
    /** Removes a person from the tenant, with their grants, API keys and sessions here */
    delete(membershipId: string, options?: CallOptions): Promise<MembershipIdReply>;
    /** Sends an invitation again, with a new link */
    resendInvitation(membershipId: string, options?: CallOptions): Promise<InvitationSent>;
  };
  readonly invitations: {
    /** Describes the invitation of a link */
    get(token: string, options?: CallOptions): Promise<InvitationInfo>;
    /** Accepts an invitation: the membership becomes active, and a session in this tenant begins */
    accept(token: string, input: InvitationAcceptance, options?: CallOptions): Promise<SignedIn>;
  };
  readonly apiKeys: {
    /** Creates a key for a membership; it is shown once */
    create(input: ApiKeyCreate, options?: CallOptions): Promise<ApiKeyCreated>;
    /** Lists the tenant's keys, newest first, revoked ones included */
    list(input?: ApiKeysListQuery, options?: CallOptions): Promise<ApiKeyPage>;
    /** Lists the tenant's keys, newest first, revoked ones included: all pages */
    all(input?: Omit<ApiKeysListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<ApiKeyPage['results'][number], void, undefined>;
    /** Revokes a key: it is refused from now on */
    revoke(id: string, options?: CallOptions): Promise<IdReply>;
    /** Creates a key for an owner or member of a tenant, when theirs is lost; it is shown once */
    createForTenant(code: string, input: OperatorKeyCreate, options?: CallOptions): Promise<ApiKeyCreated>;
  };
  readonly auth: {
    /** Signs a person in */
    login(input: SignIn, options?: CallOptions): Promise<SignedIn>;
    /** Exchanges a refresh token for new tokens */
    refresh(input: RefreshToken, options?: CallOptions): Promise<SignedIn>;
    /** Signs out: ends the session at once, its access tokens too */
    logout(input: RefreshToken, options?: CallOptions): Promise<Success>;
    /** Changes the signed-in person's password */
    changePassword(input: PasswordChange, options?: CallOptions): Promise<Success>;
  };
  readonly users: {
    /** Sets the password of a person */
    setPassword(input: PasswordSet, options?: CallOptions): Promise<PasswordSetAnswer>;
  };
  readonly passwordResets: {
    /** Sends a person a link to set a new password */
    create(input: PasswordResetRequest, options?: CallOptions): Promise<Success>;
    /** Tells whose password a link sets */
    get(token: string, options?: CallOptions): Promise<PasswordResetHint>;
    /** Sets a new password by a link */
    complete(token: string, input: PasswordReset, options?: CallOptions): Promise<Success>;
  };
  readonly emailSettings: {
    /** Reads the e-mail settings */
    get(options?: CallOptions): Promise<Settings>;
    /** Replaces the collections of the e-mail settings */
    replace(input: SettingsReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(input: SettingsPatch, options?: CallOptions): Promise<IdReply>;
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
    /** Removes a sender identity */
    delete(fromEmailAddress: string, options?: CallOptions): Promise<SenderIdentityReply>;
  };
  readonly sendingDomains: {
    /** Lists the sending domains, the oldest first */
    list(options?: CallOptions): Promise<SendingDomainList>;
    /** Adds a sending domain and makes a DKIM key for it */
    create(input: DomainCreate, options?: CallOptions): Promise<SendingDomain>;
    /** Looks the records of a sending domain up and keeps what was found */
    verify(domain: string, options?: CallOptions): Promise<SendingDomain>;
    /** Deletes a sending domain and its DKIM key */
    delete(domain: string, options?: CallOptions): Promise<DomainReply>;
    /** Vouches for a sending domain of a tenant, or takes that back */
    vouch(code: string, input: DomainVouch, options?: CallOptions): Promise<DomainReply>;
  };
  readonly suppressions: {
    /** Lists suppressed recipients, newest first */
    list(input?: SuppressionsListQuery, options?: CallOptions): Promise<SuppressionList>;
    /** Tells whether an address is suppressed, and why */
    get(recipient: string, options?: CallOptions): Promise<Suppression>;
    /** Lets a recipient be sent to no more */
    create(input: SuppressionCreate, options?: CallOptions): Promise<RecipientReply>;
    /** Suppresses the recipients of a CSV file */
    import(input: string | Blob | ReadableStream<Uint8Array>, options?: CallOptions): Promise<ImportReply>;
    /** Tells what came of an import; it is kept for 30 days */
    getImport(id: string, options?: CallOptions): Promise<SuppressionImport>;
    /** Lets a suppressed recipient be sent to again */
    delete(recipient: string, options?: CallOptions): Promise<RecipientReply>;
  };
  readonly templates: {
    /** Creates a template */
    create(input: TemplateCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists templates, newest first */
    list(input?: TemplatesListQuery, options?: CallOptions): Promise<TemplatePage>;
    /** Lists templates, newest first: all pages */
    all(input?: Omit<TemplatesListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<TemplatePage['results'][number], void, undefined>;
    /** Reads a template */
    get(id: string, options?: CallOptions): Promise<Template>;
    /** Updates a template; its versions stay */
    replace(id: string, input: TemplateReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: TemplatePatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a template and all of its versions */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Adds a version to a template */
    createVersion(templateId: string, input: TemplateVersionReplace, options?: CallOptions): Promise<IdVersionReply>;
    /** Lists the versions of a template, newest first */
    listVersions(templateId: string, input?: TemplatesListVersionsQuery, options?: CallOptions): Promise<TemplateVersionPage>;
    /** Lists the versions of a template, newest first: all pages */
    allVersions(templateId: string, input?: Omit<TemplatesListVersionsQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<TemplateVersionPage['results'][number], void, undefined>;
    /** Reads a version */
    getVersion(templateId: string, id: string, options?: CallOptions): Promise<TemplateVersion>;
    /** Updates a version, which keeps its number */
    replaceVersion(templateId: string, id: string, input: TemplateVersionReplace, options?: CallOptions): Promise<IdVersionReply>;
    /** Changes the given members */
    patchVersion(templateId: string, id: string, input: TemplateVersionPatch, options?: CallOptions): Promise<IdVersionReply>;
    /** Deletes a version, unless it is the only one */
    deleteVersion(templateId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /** Renders a message with data, without storing or sending it */
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
    all(input?: Omit<TemplateSnippetsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<TemplateSnippetPage['results'][number], void, undefined>;
    /** Reads a snippet */
    get(id: string, options?: CallOptions): Promise<TemplateSnippet>;
    /** Updates a snippet */
    replace(id: string, input: TemplateSnippetReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: TemplateSnippetPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a snippet; templates that include it cannot be rendered any more */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly transmissions: {
    /** Sends a stored template or inline content */
    create(input: TransmissionCreate, options?: CallOptions): Promise<TransmissionCreated>;
    /** Lists transmissions, newest first */
    list(input?: TransmissionsListQuery, options?: CallOptions): Promise<TransmissionPage>;
    /** Lists transmissions, newest first: all pages */
    all(input?: Omit<TransmissionsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<TransmissionPage['results'][number], void, undefined>;
    /** Tells how far a transmission is */
    get(id: string, options?: CallOptions): Promise<Transmission>;
    /** Cancels a scheduled transmission */
    cancel(id: string, options?: CallOptions): Promise<TransmissionCancelled>;
    /** Lists what became of each recipient, in the order of the request */
    listRecipients(id: string, input?: TransmissionsListRecipientsQuery, options?: CallOptions): Promise<TransmissionRecipientPage>;
    /** Lists what became of each recipient, in the order of the request: all pages */
    allRecipients(id: string, input?: Omit<TransmissionsListRecipientsQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<TransmissionRecipientPage['results'][number], void, undefined>;
    /** Tells step by step what happened to the mail to one recipient */
    tellStory(id: string, recipient: string, options?: CallOptions): Promise<RecipientStory>;
  };
  readonly providerHooks: {
    /** Makes the address at which a mail provider tells of bounces and complaints */
    create(input: ProviderHookCreate, options?: CallOptions): Promise<ProviderHookCreated>;
  };
  readonly outbox: {
    /** Lists captured messages of all tenants, newest first */
    list(input?: OutboxListQuery, options?: CallOptions): Promise<OutboxItemPage>;
    /** Lists captured messages of all tenants, newest first: all pages */
    all(input?: Omit<OutboxListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<OutboxItemPage['results'][number], void, undefined>;
    /** Reads a captured message, taken apart */
    get(id: string, options?: CallOptions): Promise<OutboxMessage>;
    /** Reads a captured message as it would have been sent */
    raw(id: string, options?: CallOptions): Promise<Response>;
  };
  readonly forms: {
    /** Lists the kinds of forms and of post-submit actions */
    settings(options?: CallOptions): Promise<FormSettings>;
    /** Creates a form */
    create(input: FormCreate, options?: CallOptions): Promise<CodeReply>;
    /** Lists forms, newest first */
    list(input: FormListQuery, options?: CallOptions): Promise<FormListItemPage>;
    /** Lists forms, newest first: all pages */
    all(input?: Omit<FormListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<FormListItemPage['results'][number], void, undefined>;
    /** Reads a form */
    get(code: string, options?: CallOptions): Promise<Form>;
    /** Updates a form */
    replace(code: string, input: FormReplace, options?: CallOptions): Promise<SuccessCodeReply>;
    /** Changes the given members */
    patch(code: string, input: FormPatch, options?: CallOptions): Promise<SuccessCodeReply>;
    /** Deletes a form and its webhooks; its submissions and history stay readable */
    delete(code: string, options?: CallOptions): Promise<CodeReply>;
    /** Reads what a page needs to render a form */
    schema(code: string, options?: CallOptions): Promise<FormRendering>;
  };
  readonly formThemes: {
    /** Creates a form theme */
    create(input: FormThemeCreate, options?: CallOptions): Promise<CodeReplyWithWarnings>;
    /** Lists form themes, newest first */
    list(input: FormThemeListQuery, options?: CallOptions): Promise<FormThemePage>;
    /** Lists form themes, newest first: all pages */
    all(input?: Omit<FormThemeListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<FormThemePage['results'][number], void, undefined>;
    /** Reads a form theme */
    get(code: string, options?: CallOptions): Promise<FormTheme>;
    /** Updates a form theme */
    replace(code: string, input: FormThemeReplace, options?: CallOptions): Promise<SuccessCodeReplyWithWarnings>;
    /** Changes the given members */
    patch(code: string, input: FormThemePatch, options?: CallOptions): Promise<SuccessCodeReplyWithWarnings>;
    /** Deletes a form theme; its history stays readable */
    delete(code: string, options?: CallOptions): Promise<CodeReply>;
  };
  readonly formSubmissions: {
    /** Submits a form */
    create(input: FormSubmissionCreate, options?: CallOptions): Promise<SubmissionIdReply>;
    /** Lists submissions, newest first */
    list(input: FormSubmissionListQuery, options?: CallOptions): Promise<FormSubmissionPage>;
    /** Lists submissions, newest first: all pages */
    all(input?: Omit<FormSubmissionListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<FormSubmissionPage['results'][number], void, undefined>;
    /** Reads a submission */
    get(id: string, options?: CallOptions): Promise<FormSubmission>;
    /** Deletes a submission; its history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Erases a person's submissions by their address, with history and deliveries */
    erase(input: FormSubmissionErasure, options?: CallOptions): Promise<FormSubmissionsErased>;
  };
  readonly webhooks: {
    /** Creates a webhook for a form's submissions */
    create(input: WebhookCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists all webhooks, newest first */
    list(input?: WebhooksListQuery, options?: CallOptions): Promise<WebhookPage>;
    /** Lists all webhooks, newest first: all pages */
    all(input?: Omit<WebhooksListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<WebhookPage['results'][number], void, undefined>;
    /** Reads a webhook */
    get(id: string, options?: CallOptions): Promise<Webhook>;
    /** Updates a webhook */
    replace(id: string, input: WebhookReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: WebhookPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a webhook and its delivery log; its history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Sends the test data to the target once */
    test(id: string, options?: CallOptions): Promise<WebhookTestReply>;
    /** Lists the deliveries of a webhook, newest first */
    listDeliveries(id: string, input?: WebhooksListDeliveriesQuery, options?: CallOptions): Promise<WebhookDeliveryPage>;
    /** Lists the deliveries of a webhook, newest first: all pages */
    allDeliveries(id: string, input?: Omit<WebhooksListDeliveriesQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<WebhookDeliveryPage['results'][number], void, undefined>;
    /** Makes a delivery again */
    redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly lists: {
    /** Creates a list */
    create(input: ListCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists lists, newest first */
    list(input: ListListQuery, options?: CallOptions): Promise<ListPage>;
    /** Lists lists, newest first: all pages */
    all(input?: Omit<ListListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<ListPage['results'][number], void, undefined>;
    /** Reads a list */
    get(id: string, options?: CallOptions): Promise<List>;
    /** Updates a list */
    replace(id: string, input: ListReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: ListPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a list; nobody is in it any more */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Puts subscribers into a list */
    addMembers(id: string, input: ListMembers, options?: CallOptions): Promise<ListMembersAdded>;
    /** Takes subscribers out of a list */
    removeMembers(id: string, input: ListMembers, options?: CallOptions): Promise<ListMembersRemoved>;
  };
  readonly subscribers: {
    /** Creates a subscriber */
    create(input: SubscriberCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists subscribers, newest first */
    list(input: SubscriberListQuery, options?: CallOptions): Promise<SubscriberPage>;
    /** Lists subscribers, newest first: all pages */
    all(input?: Omit<SubscriberListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<SubscriberPage['results'][number], void, undefined>;
    /** Reads a subscriber */
    get(id: string, options?: CallOptions): Promise<Subscriber>;
    /** Updates a subscriber */
    replace(id: string, input: SubscriberReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: SubscriberPatch, options?: CallOptions): Promise<IdReply>;
    /** Erases a subscriber for good, with its history and the mails that its unit sent to it */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Creates the subscriber with this address, or updates it */
    putByEmail(email: string, input: SubscriberByEmail, options?: CallOptions): Promise<SubscriberByEmailReply>;
    /** Changes the given members */
    patchByEmail(email: string, input: SubscriberByEmail, options?: CallOptions): Promise<SubscriberByEmailReply>;
    /** Counts the subscribers of lists or audiences who can be written to */
    search(input: SubscriberSearch, options?: CallOptions): Promise<SubscriberCounts>;
    /** Imports subscribers from a file of CSV or JSON lines */
    import(input: string | Blob | ReadableStream<Uint8Array>, options?: CallOptions): Promise<ImportReply>;
    /** Tells how far an import is and what came of it; kept for 30 days */
    getImport(id: string, options?: CallOptions): Promise<SubscriberImport>;
  };
  readonly preferences: {
    /** Reads what the owner of a link of a message receives and may choose */
    get(token: string, options?: CallOptions): Promise<Preferences>;
    /** Writes what the owner of a link of a message chooses */
    update(token: string, input: PreferencesUpdate, options?: CallOptions): Promise<PreferencesUpdated>;
  };
  readonly audiences: {
    /** Creates an audience */
    create(input: AudienceCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists audiences, newest first */
    list(input: AudienceListQuery, options?: CallOptions): Promise<AudiencePage>;
    /** Lists audiences, newest first: all pages */
    all(input?: Omit<AudienceListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<AudiencePage['results'][number], void, undefined>;
    /** Reads an audience */
    get(id: string, options?: CallOptions): Promise<Audience>;
    /** Updates an audience */
    replace(id: string, input: AudienceReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: AudiencePatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes an audience; nobody is in it any more */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly campaigns: {
    /** Creates a campaign */
    create(input: CampaignCreate, options?: CallOptions): Promise<CampaignCreated>;
    /** Lists campaigns, newest first */
    list(input: CampaignQuery, options?: CallOptions): Promise<CampaignList>;
    /** Reads a campaign with its figures */
    get(code: string, options?: CallOptions): Promise<CampaignWithMetrics>;
    /** Updates a campaign, which keeps its code */
    replace(code: string, input: CampaignReplace, options?: CallOptions): Promise<CampaignUpdated>;
    /** Changes the given members */
    patch(code: string, input: CampaignPatch, options?: CallOptions): Promise<CampaignUpdated>;
    /** Deletes a campaign with its e-mails; its history stays readable */
    delete(code: string, options?: CallOptions): Promise<CampaignDeleted>;
  };
  readonly campaignEmails: {
    /** Adds an e-mail to a campaign */
    create(campaignCode: string, input: CampaignEmailCreate, options?: CallOptions): Promise<CampaignEmailCreated>;
    /** Lists the e-mails of a campaign with their figures, newest first */
    list(campaignCode: string, input?: CampaignEmailsListQuery, options?: CallOptions): Promise<CampaignEmailListItemPage>;
    /** Lists the e-mails of a campaign with their figures, newest first: all pages */
    all(campaignCode: string, input?: Omit<CampaignEmailsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<CampaignEmailListItemPage['results'][number], void, undefined>;
    /** Reads an e-mail with its content and figures */
    get(campaignCode: string, id: string, options?: CallOptions): Promise<CampaignEmailWithMetrics>;
    /** Updates an e-mail that has not begun to go out */
    replace(campaignCode: string, id: string, input: CampaignEmailReplace, options?: CallOptions): Promise<CampaignEmailUpdated>;
    /** Changes the given members */
    patch(campaignCode: string, id: string, input: CampaignEmailPatch, options?: CallOptions): Promise<CampaignEmailUpdated>;
    /** Deletes an e-mail that was not sent; its history stays readable */
    delete(campaignCode: string, id: string, options?: CallOptions): Promise<IdReply>;
    /** Copies an e-mail as a draft into a campaign */
    clone(campaignCode: string, marketingEmailId: string, input: CampaignEmailClone, options?: CallOptions): Promise<CampaignEmailCloned>;
    /** Sends an e-mail, or schedules it */
    process(campaignCode: string, id: string, options?: CallOptions): Promise<CampaignEmailProcessed>;
    /** Stops an e-mail that waits or goes out */
    cancel(code: string, id: string, options?: CallOptions): Promise<CampaignEmailStatusChange>;
    /** Makes a draft of an e-mail that waits */
    convertToDraft(campaignCode: string, id: string, options?: CallOptions): Promise<CampaignEmailStatusChange>;
    /** Sends an e-mail as it is to a few addresses, counted nowhere */
    test(code: string, id: string, input: CampaignEmailTest, options?: CallOptions): Promise<CampaignEmailTested>;
    /** Sends an e-mail again to those whose messages could not be made */
    retryFailed(code: string, id: string, options?: CallOptions): Promise<CampaignEmailRetried>;
    /** Counts whom an e-mail would reach, and lists what blocks sending it, without sending it */
    preflight(code: string, id: string, options?: CallOptions): Promise<Preflight>;
    /** Tells step by step what happened to the e-mail to one address */
    tellStory(code: string, id: string, recipient: string, options?: CallOptions): Promise<EmailRecipientStory>;
    /** The HTML of a message, by the token of its `view_in_browser_url` */
    preview(token: string, options?: CallOptions): Promise<CampaignEmailPreview>;
  };
  readonly campaignFigures: {
    /** Answers a query about one e-mail */
    query(campaignCode: string, marketingEmailId: string, input: MetricQuery, options?: CallOptions): Promise<MetricResult>;
    /** Tells the figures of several e-mails */
    list(campaignCode: string, input: MetricsOfEmails, options?: CallOptions): Promise<MetricsByEmail>;
    /** Lists the links of an e-mail that people followed */
    clickedLinks(campaignCode: string, marketingEmailId: string, options?: CallOptions): Promise<ClickedLinks>;
    /** Lists what everybody did whom the e-mails of a campaign were addressed to */
    engagements(campaignCode: string, input: CampaignEngagementQuery, options?: CallOptions): Promise<CampaignEngagementPage>;
    /** Lists what everybody did whom the e-mails of a campaign were addressed to: all pages */
    engagements(campaignCode: string, input?: Omit<CampaignEngagementQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<CampaignEngagementPage['results'][number], void, undefined>;
    /** Lists what a subscriber did with the e-mails addressed to them */
    ofSubscriber(subscriberId: string, input: SubscriberEngagementQuery, options?: CallOptions): Promise<SubscriberEngagementPage>;
    /** Lists what a subscriber did with the e-mails addressed to them: all pages */
    ofSubscriber(subscriberId: string, input?: Omit<SubscriberEngagementQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<SubscriberEngagementPage['results'][number], void, undefined>;
  };
  readonly marketingEvents: {
    /** Takes page views, purchases and engagement times of subscribers */
    create(input: MarketingEvents, options?: CallOptions): Promise<MarketingEventsAccepted>;
    /** Counts events of a span of time by day, type or campaign */
    query(input: MarketingEventsQuery, options?: CallOptions): Promise<MarketingEventFigures>;
  };
  readonly journeys: {
    /** Creates a journey */
    create(input: JourneyCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists journeys, newest first */
    list(input: JourneyListQuery, options?: CallOptions): Promise<JourneyPage>;
    /** Lists journeys, newest first: all pages */
    all(input?: Omit<JourneyListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<JourneyPage['results'][number], void, undefined>;
    /** Reads a journey */
    get(id: string, options?: CallOptions): Promise<Journey>;
    /** Updates a journey */
    replace(id: string, input: JourneyReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: JourneyPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a journey; its running states end `exited`, and history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Lets a subscriber in */
    enter(id: string, input: JourneyEnter, options?: CallOptions): Promise<JourneyEntered>;
    /** Goes through a journey on a virtual clock, without any effect */
    simulate(id: string, input: JourneySimulate, options?: CallOptions): Promise<JourneySimulation>;
    /** Lists where everyone is, newest first */
    listStates(id: string, input: JourneyStateListQuery, options?: CallOptions): Promise<JourneyStatePage>;
    /** Lists where everyone is, newest first: all pages */
    allStates(id: string, input?: Omit<JourneyStateListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<JourneyStatePage['results'][number], void, undefined>;
    /** Reads where somebody is, and how they came there */
    getState(id: string, stateId: string, options?: CallOptions): Promise<JourneyState>;
    /** Takes somebody out */
    exitState(id: string, stateId: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly entities: {
    /** Defines an entity */
    create(input: EntityCreate, options?: CallOptions): Promise<NameReply>;
    /** Lists all entities, newest first */
    list(options?: CallOptions): Promise<EntityList>;
    /** Reads the definition of an entity */
    get(name: string, options?: CallOptions): Promise<Entity>;
    /** Updates the definition of an entity; its records go along */
    replace(name: string, input: EntityReplace, options?: CallOptions): Promise<NameReply>;
    /** Changes the given members */
    patch(name: string, input: EntityPatch, options?: CallOptions): Promise<NameReply>;
    /** Deletes an entity; with `drop=true` with its records */
    delete(name: string, input?: EntitiesDeleteQuery, options?: CallOptions): Promise<NameReply>;
  };
  readonly entityWebhooks: {
    /** Registers a webhook for changes of records */
    create(input: EntityWebhookCreate, options?: CallOptions): Promise<EntityWebhook>;
    /** Lists the webhooks, without their secrets */
    list(options?: CallOptions): Promise<EntityWebhookList>;
    /** Deletes a webhook */
    delete(id: string, options?: CallOptions): Promise<EntityWebhookDeleted>;
  };
  readonly documentModels: {
    /** Lists the document models of a project without their definitions, newest first */
    list(projectId: string, input?: DocumentModelsListQuery, options?: CallOptions): Promise<DocumentModelSummaryPage>;
    /** Lists the document models of a project without their definitions, newest first: all pages */
    all(projectId: string, input?: Omit<DocumentModelsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<DocumentModelSummaryPage['results'][number], void, undefined>;
    /** Updates the document model that the body names, or makes it */
    put(projectId: string, input: DocumentModelPut, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(projectId: string, input: DocumentModelPatch, options?: CallOptions): Promise<IdReply>;
    /** Reads a document model */
    get(projectId: string, id: string, options?: CallOptions): Promise<DocumentModel>;
    /** Deletes a document model; its documents and its history stay readable */
    delete(projectId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /** Lists the documents of a document model */
    usage(projectId: string, id: string, input?: DocumentModelsUsageQuery, options?: CallOptions): Promise<ModelUsage>;
    /** Lists the documents of a document model: all pages */
    usage(projectId: string, id: string, input?: Omit<DocumentModelsUsageQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<ModelUsage['results'][number], void, undefined>;
  };
  readonly sliceModels: {
    /** Lists the slices of a project and the tenant's core slices, with counts by value */
    list(projectId: string, input?: SliceModelsListQuery, options?: CallOptions): Promise<SliceModelPage>;
    /** Lists the slices of a project and the tenant's core slices, with counts by value: all pages */
    all(projectId: string, input?: Omit<SliceModelsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<SliceModelPage['results'][number], void, undefined>;
    /** Updates the slice model that the body names, or makes it */
    put(projectId: string, input: SliceModelPut, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(projectId: string, input: SliceModelPatch, options?: CallOptions): Promise<IdReply>;
    /** Reads a slice model */
    get(projectId: string, id: string, options?: CallOptions): Promise<SliceModel>;
    /** Deletes a slice model; its history stays readable */
    delete(projectId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /** Lists what uses a slice model: document models, other slices, site settings, and documents */
    usage(projectId: string, id: string, input?: SliceModelsUsageQuery, options?: CallOptions): Promise<ModelUsage>;
    /** Lists what uses a slice model: document models, other slices, site settings, and documents: all pages */
    usage(projectId: string, id: string, input?: Omit<SliceModelsUsageQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<ModelUsage['results'][number], void, undefined>;
  };
  readonly documents: {
    /** Reads the newest document for which all holds that the query asks for */
    get(projectId: string, input?: DocumentsGetQuery, options?: CallOptions): Promise<Document>;
    /** Lists documents, newest first */
    list(projectId: string, input: DocumentListQuery, options?: CallOptions): Promise<DocumentPage>;
    /** Lists documents, newest first: all pages */
    all(projectId: string, input?: Omit<DocumentListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<DocumentPage['results'][number], void, undefined>;
    /** Updates a document, or makes it */
    put(projectId: string, id: string, input: DocumentReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(projectId: string, id: string, input: DocumentPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a document; its history stays readable */
    delete(projectId: string, id: string, options?: CallOptions): Promise<IdReply>;
    /** Finds documents to link to while somebody types, newest first */
    search(projectId: string, input: DocumentSearch, options?: CallOptions): Promise<FoundDocumentList>;
  };
  readonly redirects: {
    /** Creates a redirect */
    create(projectId: string, input: RedirectCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists redirects, newest first */
    list(projectId: string, input: RedirectListQuery, options?: CallOptions): Promise<RedirectPage>;
    /** Lists redirects, newest first: all pages */
    all(projectId: string, input?: Omit<RedirectListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<RedirectPage['results'][number], void, undefined>;
    /** Tells where a request of a website is to be led */
    check(projectId: string, input: RedirectTest, options?: CallOptions): Promise<RedirectCheck>;
    /** Reads a redirect */
    get(projectId: string, id: string, options?: CallOptions): Promise<Redirect>;
    /** Updates a redirect */
    replace(projectId: string, id: string, input: RedirectReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(projectId: string, id: string, input: RedirectPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a redirect; its history stays readable */
    delete(projectId: string, id: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly siteSettings: {
    /** Reads the settings of a site */
    get(projectId: string, options?: CallOptions): Promise<SiteSettings>;
    /** Replaces the settings of a site */
    replace(projectId: string, input: SiteSettingsReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(projectId: string, input: SiteSettingsReplace, options?: CallOptions): Promise<IdReply>;
  };
  readonly previewSnapshots: {
    /** Keeps the unsaved state of a document for a preview */
    create(projectId: string, documentId: string, input: PreviewSnapshotCreate, options?: CallOptions): Promise<PreviewSnapshotCreated>;
    /** Reads a snapshot by its token, without a key */
    get(token: string, options?: CallOptions): Promise<PreviewSnapshot>;
  };
  readonly assets: {
    /** Uploads a file */
    create(input: AssetUpload, options?: UploadOptions): Promise<AssetReply>;
    /** Lists assets, newest first */
    list(input: AssetListQuery, options?: CallOptions): Promise<AssetPage>;
    /** Lists assets, newest first: all pages */
    all(input?: Omit<AssetListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<AssetPage['results'][number], void, undefined>;
    /** Reads what is known of an asset */
    get(id: string, options?: CallOptions): Promise<Asset>;
    /** Replaces an asset's name, folder, alt and tags */
    replace(id: string, input: AssetReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: AssetReplace, options?: CallOptions): Promise<IdReply>;
    /** Deletes an asset with its files */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** The file of an asset, or a picture in another size and format */
    download(id: string, file: string, input?: AssetsDownloadQuery, options?: CallOptions): Promise<Response>;
  };
  readonly queueMessages: {
    /** Publishes a message to the automations that handle a queue */
    publish(queueName: string, input: QueueMessage, options?: CallOptions): Promise<QueueMessageReply>;
  };
  readonly aiAssistants: {
    /** Creates an assistant */
    create(input: AssistantCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists assistants, newest first */
    list(input?: AiAssistantsListQuery, options?: CallOptions): Promise<AssistantSummaryPage>;
    /** Lists assistants, newest first: all pages */
    all(input?: Omit<AiAssistantsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<AssistantSummaryPage['results'][number], void, undefined>;
    /** Reads an assistant */
    get(id: string, options?: CallOptions): Promise<Assistant>;
    /** Updates an assistant */
    replace(id: string, input: AssistantReplace, options?: CallOptions): Promise<SuccessReply>;
    /** Changes the given members */
    patch(id: string, input: AssistantPatch, options?: CallOptions): Promise<SuccessReply>;
    /** Deletes an assistant; its history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
  };
  readonly aiThreads: {
    /** Opens a thread with the messages that the caller has */
    create(input: ThreadCreate, options?: CallOptions): Promise<IdReply>;
    /** Lists threads, newest first */
    list(input: AiThreadsListQuery, options?: CallOptions): Promise<ThreadSummaryPage>;
    /** Lists threads, newest first: all pages */
    all(input?: Omit<AiThreadsListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<ThreadSummaryPage['results'][number], void, undefined>;
    /** Reads a thread with all its messages */
    get(id: string, options?: CallOptions): Promise<Thread>;
    /** Adds messages to a thread */
    replace(id: string, input: ThreadReplace, options?: CallOptions): Promise<IdVersionReply>;
    /** Deletes a thread; its history stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Has the assistant answer in a thread */
    reply(id: string, input?: ReplyBody, options?: CallOptions): Promise<Message>;
    /** Has the assistant answer in a thread, as events */
    replyStream(id: string, input?: ReplyBody, options?: CallOptions): AsyncGenerator<StreamEvent, void, undefined>;
  };
  readonly aiIndexes: {
    /** Creates a vector index */
    create(input: VectorIndexCreate, options?: CallOptions): Promise<NameReply>;
    /** Lists vector indexs, newest first */
    list(input?: AiIndexesListQuery, options?: CallOptions): Promise<VectorIndexPage>;
    /** Lists vector indexs, newest first: all pages */
    all(input?: Omit<AiIndexesListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<VectorIndexPage['results'][number], void, undefined>;
    /** Reads a vector index */
    get(name: string, options?: CallOptions): Promise<VectorIndexWithCounts>;
    /** Deletes a vector index with its items */
    delete(name: string, options?: CallOptions): Promise<VectorIndexDeleted>;
    /** Adds texts to an index, or replaces those of the same ids */
    upsert(name: string, input: VectorIndexUpsert, options?: CallOptions): Promise<AiIndexWriteReply>;
    /** Finds the texts of an index that are nearest to a text */
    query(name: string, input: VectorIndexQuery, options?: CallOptions): Promise<VectorIndexMatches>;
    /** Lists the texts of an index, in the order of their ids */
    listItems(name: string, input?: AiIndexesListItemsQuery, options?: CallOptions): Promise<VectorIndexItemPage>;
    /** Lists the texts of an index, in the order of their ids: all pages */
    allItems(name: string, input?: Omit<AiIndexesListItemsQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<VectorIndexItemPage['results'][number], void, undefined>;
    /** Deletes texts of an index */
    deleteItems(name: string, input: VectorIndexItemIds, options?: CallOptions): Promise<VectorIndexItemsDeleted>;
    /** Reads a text of an index */
    getItem(name: string, id: string, options?: CallOptions): Promise<VectorIndexItem>;
  };
  readonly aiUsage: {
    /** Tells how many tokens the answers of some days have taken, by assistant and model */
    read(input?: AiUsageReadQuery, options?: CallOptions): Promise<AiUsage>;
  };
  readonly aiBudget: {
    /** Reads the monthly token budget of the tenant, and the tokens used this month */
    read(options?: CallOptions): Promise<AiBudgetState>;
    /** Sets the monthly token budget of the tenant; null removes it */
    replace(input: AiBudget, options?: CallOptions): Promise<AiBudgetState>;
    /** Changes the given members */
    patch(input: AiBudgetPatch, options?: CallOptions): Promise<AiBudgetState>;
  };
  readonly aiConversations: {
    /** Makes a token by which a page may talk with an assistant for an hour */
    engage(input: EngageBody, options?: CallOptions): Promise<ConversationToken>;
    /** Says something in a conversation, and gets the answer of the assistant */
    say(input: ConversationMessageCreate, options?: CallOptions): Promise<ConversationReply>;
    /** Says something in a conversation, and gets the answer of the assistant, as events */
    sayStream(input: ConversationMessageCreate, options?: CallOptions): AsyncGenerator<StreamEvent, void, undefined>;
  };
  readonly entityVersions: {
    /** Lists all versions of a record, oldest first */
    list(input: EntityVersionsListQuery, options?: CallOptions): Promise<VersionRecordList>;
    /** Reads one version of a record */
    get(version: string, input: EntityVersionsGetQuery, options?: CallOptions): Promise<VersionRecord>;
  };
  readonly deletedRecords: {
    /** Lists deleted records and their superseded versions, newest first, 1000 at most */
    list(input: DeletedRecordsListQuery, options?: CallOptions): Promise<DeletedRecordList>;
    /** Lists deleted records of all kinds, newest first */
    search(input: DeletedListQuery, options?: CallOptions): Promise<DeletedItemPage>;
    /** Lists deleted records of all kinds, newest first: all pages */
    search(input?: Omit<DeletedListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<DeletedItemPage['results'][number], void, undefined>;
    /** Restores a deleted record, or an older version of a record, as its next version */
    restore(input: RestoreRecord, options?: CallOptions): Promise<RestoredRecord>;
  };
  readonly projects: {
    /** Lists projects, newest first */
    list(input?: ProjectsListQuery, options?: CallOptions): Promise<PageProjects>;
    /** Reads a project */
    get(id: string, options?: CallOptions): Promise<PageProject>;
    /** Updates the metadata of a project, or makes the project */
    replace(id: string, input: PageProjectReplace, options?: CallOptions): Promise<IdReply>;
    /** Changes the given members */
    patch(id: string, input: PageProjectPatch, options?: CallOptions): Promise<IdReply>;
    /** Deletes a project with all that it holds; the history of each record stays readable */
    delete(id: string, options?: CallOptions): Promise<IdReply>;
    /** Copies a project with all that it holds */
    duplicate(id: string, input: PageProjectDuplicate, options?: CallOptions): Promise<IdReply>;
    /** Takes over new and changed models of a project's template */
    syncTemplate(id: string, options?: CallOptions): Promise<PageProjectSynced>;
  };
  readonly automations: {
    /** Lists what automations can do */
    listActionTypes(options?: CallOptions): Promise<ActionTypeList>;
    /** Lists automations, newest first */
    list(input: AutomationListQuery, options?: CallOptions): Promise<AutomationPage>;
    /** Lists automations, newest first: all pages */
    all(input?: Omit<AutomationListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<AutomationPage['results'][number], void, undefined>;
    /** Reads an automation */
    get(key: string, options?: CallOptions): Promise<AutomationWithFigures>;
    /** Updates an automation */
    replace(key: string, input: AutomationReplace, options?: CallOptions): Promise<AutomationKey>;
    /** Changes the given members */
    patch(key: string, input: AutomationPatch, options?: CallOptions): Promise<AutomationKey>;
    /** Deletes an automation; its history stays readable */
    delete(key: string, options?: CallOptions): Promise<AutomationKey>;
    /** Creates an automation */
    create(input: AutomationCreate, options?: CallOptions): Promise<AutomationKey>;
    /** Tells what a run would do, without doing it */
    test(key: string, input?: AutomationTrigger, options?: CallOptions): Promise<AutomationTest>;
    /** Lists the runs of an automation, newest first */
    listRuns(key: string, input?: AutomationsListRunsQuery, options?: CallOptions): Promise<AutomationRunPage>;
    /** Lists the runs of an automation, newest first: all pages */
    allRuns(key: string, input?: Omit<AutomationsListRunsQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<AutomationRunPage['results'][number], void, undefined>;
    /** Reads a run: what set it off, and what each action was given and came to */
    getRun(key: string, runId: string, options?: CallOptions): Promise<AutomationRunStory>;
    /** Begins a run by hand */
    run(key: string, input?: AutomationTrigger, options?: CallOptions): Promise<AutomationRunId>;
    /** Has a run that failed go on from the action that failed */
    replayRun(key: string, runId: string, options?: CallOptions): Promise<AutomationRunId>;
    /** Has a run that is queued not begin */
    cancelRun(key: string, runId: string, options?: CallOptions): Promise<AutomationRunId>;
  };
  readonly automationRuns: {
    /** Lists the runs of all automations, newest first */
    list(input: AutomationRunListQuery, options?: CallOptions): Promise<AutomationRunPage>;
    /** Lists the runs of all automations, newest first: all pages */
    all(input?: Omit<AutomationRunListQuery, 'page' | 'limit'> & { limit?: number }, options?: CallOptions): AsyncGenerator<AutomationRunPage['results'][number], void, undefined>;
  };
  readonly reports: {
    /** Exports records as a CSV file, which is sent by mail */
    export(input: ReportExport, options?: CallOptions): Promise<ReportExportQueued>;
    /** How far an export is */
    getExport(messageId: string, options?: CallOptions): Promise<ReportExportProgress>;
    /** The file of an export that is too large for a mail */
    download(token: string, options?: CallOptions): Promise<Response>;
  };
}
