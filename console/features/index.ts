import type { Feature } from '../feature.ts';
import { account } from './account/index.ts';
import { activity } from './activity/index.ts';
import { audiences } from './audiences/index.ts';
import { bin } from './bin/index.ts';
import { deliveries } from './deliveries/index.ts';
import { domains } from './domains/index.ts';
import { eventWebhooks } from './event-webhooks/index.ts';
import { home } from './home/index.ts';
import { imports } from './imports/index.ts';
import { keys } from './keys/index.ts';
import { lists } from './lists/index.ts';
import { members } from './members/index.ts';
import { operations } from './operations/index.ts';
import { parts } from './parts/index.ts';
import { recordHistory } from './record-history/index.ts';
import { recordWebhooks } from './record-webhooks/index.ts';
import { sandbox } from './sandbox/index.ts';
import { search } from './search/index.ts';
import { senders } from './senders/index.ts';
import { subscribers } from './subscribers/index.ts';
import { subscriptions } from './subscriptions/index.ts';
import { suppressions } from './suppressions/index.ts';
import { tenantSettings } from './tenant-settings/index.ts';
import { tenants } from './tenants/index.ts';
import { units } from './units/index.ts';
import { webhooks } from './webhooks/index.ts';

/** All features of the console, in the order of their navigation entries. */
export const FEATURES: readonly Feature[] = [
  tenants,
  account,
  home,
  activity,
  recordHistory,
  operations,
  search,
  bin,
  subscribers,
  imports,
  lists,
  audiences,
  suppressions,
  webhooks,
  eventWebhooks,
  recordWebhooks,
  deliveries,
  keys,
  tenantSettings,
  units,
  members,
  domains,
  senders,
  subscriptions,
  sandbox,
  parts,
];
