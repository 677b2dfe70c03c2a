/** Generated from openapi.json by `npm run sdk`. */
import type { ListFacts } from '../list-facts.ts';

/** `tenants.list`. */
export const tenantsList = {"sorts":["created_at","code","name"]} as const satisfies ListFacts;

/** `memberships.list`. */
export const membershipsList = {"sorts":["created_at"]} as const satisfies ListFacts;

/** `apiKeys.list`. */
export const apiKeysList = {"sorts":["created_at","name"]} as const satisfies ListFacts;

/** `activity.list`. */
export const activityList = {"sorts":[],"filters":{"fields":{"entity_type":{"type":"text","values":["ai_assistant","ai_thread","ai_vector_index","business_unit","tenant_membership","business_unit_grant","email_settings","email_template","email_template_snippet","form","form_theme","marketing_audience","marketing_list","marketing_campaign","marketing_email","marketing_email_sending_job","marketing_subscriber","pages_document_model","pages_slice_model","pages_document","pages_project_metadata","pages_url_redirect","pages_site_settings","user_journey","user_journey_state","webhook","entity","automation"]},"key":{"type":"text"},"membership_id":{"type":"text"},"action":{"type":"text","values":["created","updated","deleted","restored"]},"at":{"type":"time"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `suppressions.list`. */
export const suppressionsList = {"sorts":["created_at","recipient"]} as const satisfies ListFacts;

/** `templates.list`. */
export const templatesList = {"sorts":["created_at","name","updated_at"]} as const satisfies ListFacts;

/** `templates.listVersions`. */
export const templatesListVersions = {"sorts":["created_at"]} as const satisfies ListFacts;

/** `templateSnippets.list`. */
export const templateSnippetsList = {"sorts":["created_at","name","updated_at"]} as const satisfies ListFacts;

/** `transmissions.list`. */
export const transmissionsList = {"sorts":["created_at"]} as const satisfies ListFacts;

/** `forms.list`. */
export const formsList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"name":{"type":"text"},"active":{"type":"boolean"},"form_type":{"type":"text","values":["embedded_form"]},"business_unit":{"type":"id"},"created_at":{"type":"time"}},"operations":["eq","ne","like","gt","gte","lt","lte","between","in"]}} as const satisfies ListFacts;

/** `formThemes.list`. */
export const formThemesList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"name":{"type":"text"},"business_unit":{"type":"id"},"created_at":{"type":"time"}},"operations":["eq","ne","like","gt","gte","lt","lte","between","in"]}} as const satisfies ListFacts;

/** `formSubmissions.list`. */
export const formSubmissionsList = {"sorts":["created_at"],"filters":{"fields":{"created_at":{"type":"time"},"form_code":{"type":"text"},"email_address":{"type":"text"},"business_unit":{"type":"id"}},"operations":["eq","ne","like","gt","gte","lt","lte","between","in"]}} as const satisfies ListFacts;

/** `webhooks.list`. */
export const webhooksList = {"sorts":["created_at","name"]} as const satisfies ListFacts;

/** `webhooks.listDeliveries`. */
export const webhooksListDeliveries = {"sorts":["created_at"]} as const satisfies ListFacts;

/** `lists.list`. */
export const listsList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"name":{"type":"text"},"business_unit":{"type":"id"},"created_at":{"type":"time"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `subscribers.list`. */
export const subscribersList = {"sorts":["created_at","email"],"filters":{"fields":{"first_name":{"type":"text"},"last_name":{"type":"text"},"email":{"type":"text"},"active":{"type":"boolean"},"business_unit":{"type":"id"},"created_at":{"type":"time"},"updated_at":{"type":"time"},"lists":{"type":"id"},"audiences":{"type":"id"},"additional_fields_data.<name>":{"type":"any"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `audiences.list`. */
export const audiencesList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"name":{"type":"text"},"business_unit":{"type":"id"},"created_at":{"type":"time"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `campaigns.list`. */
export const campaignsList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"name":{"type":"text"},"business_unit":{"type":"id"},"audience":{"type":"text"},"start_date":{"type":"time"},"end_date":{"type":"time"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty"]}} as const satisfies ListFacts;

/** `campaignEmails.list`. */
export const campaignEmailsList = {"sorts":["created_at","name","updated_at"]} as const satisfies ListFacts;

/** `campaignFigures.engagements`. */
export const campaignFiguresEngagements = {"sorts":["created_at"]} as const satisfies ListFacts;

/** `campaignFigures.ofSubscriber`. */
export const campaignFiguresOfSubscriber = {"sorts":["created_at"]} as const satisfies ListFacts;

/** `journeys.list`. */
export const journeysList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"name":{"type":"text"},"active":{"type":"boolean"},"business_unit":{"type":"id"},"created_at":{"type":"time"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `journeys.listStates`. */
export const journeysListStates = {"sorts":["created_at"],"filters":{"fields":{"subscriber_id":{"type":"id"},"status":{"type":"text","values":["active","completed","exited","failed"]},"current_step":{"type":"text"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `documentModels.list`. */
export const documentModelsList = {"sorts":["created_at","label","updated_at"]} as const satisfies ListFacts;

/** `sliceModels.list`. */
export const sliceModelsList = {"sorts":["created_at","name","updated_at"]} as const satisfies ListFacts;

/** `documents.list`. */
export const documentsList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"uid":{"type":"text"},"name":{"type":"text"},"document_model_id":{"type":"text"},"status":{"type":"text","values":["draft","live","archived"]},"created_at":{"type":"time"},"updated_at":{"type":"time"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `redirects.list`. */
export const redirectsList = {"sorts":["created_at","updated_at"],"filters":{"fields":{"source_domain":{"type":"text"},"rule_type":{"type":"text","values":["static","prefix","regex"]},"redirect_type":{"type":"text","values":["301","302","308"]},"is_active":{"type":"boolean"},"created_at":{"type":"time"},"business_unit":{"type":"id"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `assets.list`. */
export const assetsList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"name":{"type":"text"},"folder":{"type":"text"},"mime_type":{"type":"text"},"size":{"type":"number"},"created_at":{"type":"time"},"tags":{"type":"text"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `aiAssistants.list`. */
export const aiAssistantsList = {"sorts":["created_at","name","updated_at"]} as const satisfies ListFacts;

/** `aiThreads.list`. */
export const aiThreadsList = {"sorts":["created_at","updated_at"]} as const satisfies ListFacts;

/** `aiIndexes.list`. */
export const aiIndexesList = {"sorts":["created_at","name","updated_at"]} as const satisfies ListFacts;

/** `deletedRecords.search`. */
export const deletedRecordsSearch = {"sorts":[],"filters":{"fields":{"entity_type":{"type":"text"},"deleted_at":{"type":"time"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `projects.list`. */
export const projectsList = {"sorts":["created_at","name","updated_at"]} as const satisfies ListFacts;

/** `automations.list`. */
export const automationsList = {"sorts":["created_at","name","updated_at"],"filters":{"fields":{"key":{"type":"text"},"name":{"type":"text"},"app":{"type":"text"},"module":{"type":"text"},"entityKey":{"type":"text"},"triggerType":{"type":"text","values":["afterCreate","afterUpdate","afterDelete","afterWorkflowMove","afterWorflowOwnershipTaken","cronJob","webhook","mqHandler"]},"active":{"type":"boolean"},"created_at":{"type":"time"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `automations.listRuns`. */
export const automationsListRuns = {"sorts":["created_at"]} as const satisfies ListFacts;

/** `automationRuns.list`. */
export const automationRunsList = {"sorts":["created_at"],"filters":{"fields":{"status":{"type":"text","values":["queued","running","succeeded","failed","skipped"]},"key":{"type":"text"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `deliveries.list`. */
export const deliveriesList = {"sorts":["created_at"],"filters":{"fields":{"status":{"type":"text","values":["pending","success","failed"]},"kind":{"type":"text","values":["form","email_event","record"]},"webhook_id":{"type":"id"},"status_code":{"type":"any"},"created_at":{"type":"time"},"id":{"type":"id"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;

/** `longOperations.list`. */
export const longOperationsList = {"sorts":["created_at"],"filters":{"fields":{"kind":{"type":"text"},"status":{"type":"text","values":["queued","running","completed","failed","cancelled"]},"created_at":{"type":"time"},"started_by":{"type":"id"}},"operations":["eq","ne","like","nlike","gt","gte","lt","lte","between","in","nin","empty","nempty","nemptyarray"]}} as const satisfies ListFacts;
