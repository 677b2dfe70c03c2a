import { withPatches } from '../http/updates.ts';
import { aiFeatures } from './ai/index.ts';
import { assets } from './assets/index.ts';
import { automations, automationsFeatures } from './automations/index.ts';
import { bulkActions } from './bulk-actions/index.ts';
import { webConsole } from './console/index.ts';
import { contactsFeatures } from './contacts/index.ts';
import { deliveries } from './deliveries/index.ts';
import { emailSettings } from './email-settings/index.ts';
import type { Feature } from './feature.ts';
import { formsFeatures } from './forms/index.ts';
import { journeys } from './journeys/index.ts';
import { longOperations } from './long-operations/index.ts';
import { mailFeatures } from './mail/index.ts';
import { marketingFeatures } from './marketing/index.ts';
import { operationsFeatures } from './operations/index.ts';
import { overview } from './overview/index.ts';
import { pagesFeatures, projects } from './pages/index.ts';
import { readRelatedRecords } from './records/api.ts';
import { recordsFeatures } from './records/index.ts';
import { reports } from './reports/index.ts';
import { subscriberTimeline } from './subscriber-timeline/index.ts';
import { entityHistory, recordSearch, restorersOf, tenancyFeatures } from './tenancy/index.ts';

/** The features of all areas, except those that are built from the others. */
const areaFeatures: readonly Feature[] = [
  ...operationsFeatures,
  ...tenancyFeatures,
  emailSettings,
  ...mailFeatures,
  ...formsFeatures,
  ...contactsFeatures,
  ...marketingFeatures,
  journeys,
  ...recordsFeatures,
  ...pagesFeatures,
  assets,
  ...automationsFeatures,
  ...aiFeatures,
  webConsole,
];

const pageProjects = projects(areaFeatures.flatMap((feature) => feature.projectContents ?? []));

const allAutomations = automations({
  actionTypes: areaFeatures.flatMap((feature) => feature.actionTypes ?? []),
  triggers: areaFeatures.flatMap((feature) => feature.automationTriggers ?? []),
  readRelated: readRelatedRecords,
});

const restorers = [...areaFeatures, pageProjects, allAutomations].flatMap(restorersOf);

const bulk = bulkActions(areaFeatures, restorers);

const exportedReports = reports(areaFeatures.flatMap((feature) => feature.reports ?? []));

const operations = longOperations(
  [...areaFeatures, bulk, exportedReports].flatMap((feature) => feature.operations ?? []),
);

const allDeliveries = deliveries(areaFeatures.flatMap((feature) => feature.deliverySources ?? []));

const searches = [...areaFeatures, pageProjects, allAutomations, allDeliveries].flatMap(
  (feature) => feature.searches ?? [],
);

/**
 * Every feature of Tessera. History, search, timelines, projects, automations, bulk actions, deliveries, exports, the
 * overview and long operations are built from what the others declare.
 */
export const features: readonly Feature[] = withPatchRoutes([
  ...areaFeatures,
  entityHistory({
    details: areaFeatures.flatMap((feature) => feature.historyDetails ?? []),
    restorers,
  }),
  recordSearch(searches),
  subscriberTimeline(areaFeatures.flatMap((feature) => feature.timelines ?? [])),
  pageProjects,
  allAutomations,
  bulk,
  allDeliveries,
  exportedReports,
  operations,
  overview(
    [...areaFeatures, allAutomations, exportedReports, operations].flatMap(
      (feature) => feature.overview ?? [],
    ),
  ),
]);

function withPatchRoutes(all: readonly Feature[]): readonly Feature[] {
  return all.map((feature) => ({ ...feature, routes: withPatches(feature.routes) }));
}
