import {
  BUSINESS_UNIT_REQUIRED,
  FORBIDDEN,
  IMMUTABLE_FIELD,
  OWNER_IMMUTABLE,
  VERSION_CONFLICT,
} from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { LIST_CHECKS } from '../../../resources/list-queries.ts';
import { updatesOf } from '../../../resources/updates.ts';
import { emailRoutes } from './emails/routes.ts';
import { sendingRoutes } from './emails/sending-routes.ts';
import {
  CAMPAIGN_HAS_ACTIVE_EMAILS,
  CAMPAIGN_NOT_FOUND,
  DUPLICATE_CAMPAIGN_CODE,
  INVALID_CAMPAIGN,
} from './errors.ts';
import { figureRoutes } from './figures/routes.ts';
import { campaigns } from './resource.ts';
import {
  CampaignCreated,
  CampaignDeleted,
  CampaignList,
  CampaignParams,
  CampaignQuery,
  CampaignReplaced,
  CampaignWithMetrics,
} from './schema.ts';
import {
  CAMPAIGN_CHECKS,
  createCampaign,
  deleteCampaign,
  getCampaign,
  listCampaigns,
  replaceCampaign,
} from './service.ts';

const area = { tag: 'Campaigns', invalid: INVALID_CAMPAIGN } as const;

const campaignRoutes: readonly Route[] = [
  defineRoute({
    ...area,
    id: 'campaigns.create',
    method: 'POST',
    path: '/api/campaigns',
    summary: 'Creates a campaign',
    access: 'editor',
    errors: [FORBIDDEN, BUSINESS_UNIT_REQUIRED, DUPLICATE_CAMPAIGN_CODE],
    body: campaigns.createBody,
    checks: CAMPAIGN_CHECKS,
    reply: CampaignCreated,
    write: (ctx, { body }) => createCampaign(ctx, body),
  }),
  defineRoute({
    tag: area.tag,
    id: 'campaigns.list',
    readsOnly: true,
    method: 'POST',
    path: '/api/campaigns/list',
    summary: 'Lists campaigns, newest first',
    description: `\`search\` looks in ${campaigns.search.join(', ')}.`,
    access: 'member',
    filters: campaigns.filters,
    search: campaigns.search,
    ...listFacts(campaigns),
    body: CampaignQuery,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: LIST_CHECKS,
    reply: CampaignList,
    handler: (ctx, { body }) => listCampaigns(ctx, body),
  }),
  defineRoute({
    ...area,
    id: 'campaigns.get',
    method: 'GET',
    path: '/api/campaigns/{code}',
    summary: 'Reads a campaign with its figures',
    access: 'member',
    errors: [CAMPAIGN_NOT_FOUND],
    params: CampaignParams,
    reply: CampaignWithMetrics,
    handler: (ctx, { params }) => getCampaign(ctx, params.code),
  }),
  defineRoute({
    ...area,
    id: 'campaigns.replace',
    method: 'PUT',
    path: '/api/campaigns/{code}',
    summary: 'Updates a campaign; its code stays',
    access: 'editor',
    errors: [CAMPAIGN_NOT_FOUND, FORBIDDEN, IMMUTABLE_FIELD, OWNER_IMMUTABLE, VERSION_CONFLICT],
    params: CampaignParams,
    updates: updatesOf(campaigns),
    body: campaigns.replaceBody,
    checks: CAMPAIGN_CHECKS,
    reply: CampaignReplaced,
    write: (ctx, { params, body }) => replaceCampaign(ctx, params.code, body),
  }),
  defineRoute({
    ...area,
    id: 'campaigns.delete',
    method: 'DELETE',
    path: '/api/campaigns/{code}',
    summary: 'Deletes a campaign with its emails; its history stays readable',
    access: 'admin',
    errors: [CAMPAIGN_NOT_FOUND, FORBIDDEN, CAMPAIGN_HAS_ACTIVE_EMAILS],
    params: CampaignParams,
    reply: CampaignDeleted,
    write: (ctx, { params }) => deleteCampaign(ctx, params.code),
  }),
];

/** Routes of campaigns, their emails, sending and figures (docs/specification/campaigns.md#campaign). */
export const routes: readonly Route[] = [
  ...campaignRoutes,
  ...emailRoutes,
  ...sendingRoutes,
  ...figureRoutes,
];
