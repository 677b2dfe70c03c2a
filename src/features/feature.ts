import type { Config } from '../config.ts';
import type { ErrorDefinition } from '../errors/app-error.ts';
import type { Extension } from '../extension-point.ts';
import type { ActionType } from '../flows/action-type.ts';
import type { AutomationTrigger } from '../flows/automation-trigger.ts';
import type { FeatureExamples } from '../http/examples.ts';
import type { Route } from '../http/route.ts';
import type { RecordPathCheck } from '../http/unserved-requests.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Retention } from '../jobs/retention.ts';
import type { OperationKind } from '../long-operations/operation-kind.ts';
import type { OverviewPart } from '../overview/overview-part.ts';
import type { Platform } from '../platform.ts';
import type { Report } from '../reports/report.ts';
import type { BulkRule } from '../resources/bulk-rules.ts';
import type { Contents } from '../resources/contents.ts';
import type { HistoryDetail } from '../resources/history.ts';
import type { RecordSearch } from '../resources/record-search.ts';
import type { RestoreRule } from '../resources/restored-records.ts';
import type { SealedColumn } from '../secrets/sealed-columns.ts';
import type { TimelineSource } from '../timeline/timeline-source.ts';
import type { DeliverySource } from '../work-queue/delivery-source.ts';
import type { WorkQueue } from '../work-queue/work-queue.ts';

/** Everything that a feature adds to the process. Its `index.ts` exports one. */
export interface Feature {
  /** The folder's name. */
  readonly name: string;
  readonly routes: readonly Route[];
  /** Returns false if a process with this configuration does not serve its routes. */
  readonly isServed?: (config: Config) => boolean;
  /** Introductions of groups of operations in the API reference, by the group's name. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly examples?: FeatureExamples;
  readonly jobs?: readonly Job[];
  /** Kinds of long operations that members can watch and cancel. */
  readonly operations?: readonly OperationKind[];
  /** Rows that are deleted after a while. */
  readonly retentions?: readonly Retention[];
  /** Columns with encrypted secrets: every `secrets.seal` has one here. */
  readonly sealed?: readonly SealedColumn[];
  readonly workQueues?: readonly WorkQueue[];
  /** Kinds of webhook deliveries that members can list and send again. */
  readonly deliverySources?: readonly DeliverySource[];
  /** Its parts of the overview: what needs attention, running work, figures of today. */
  readonly overview?: OverviewPart;
  /** Exports of its records. */
  readonly reports?: readonly Report[];
  /** Records that live in projects: they are deleted and copied with their project. */
  readonly projectContents?: readonly Contents[];
  /** Data that a version of its records shows in addition to the stored row. */
  readonly historyDetails?: readonly HistoryDetail[];
  /** Kinds of its records that can be restored after deletion. */
  readonly restores?: readonly RestoreRule[];
  /** Actions on many of its records. */
  readonly bulks?: readonly BulkRule[];
  /** Kinds of its records that the search in all kinds finds. */
  readonly searches?: readonly RecordSearch[];
  /** Its parts of the timeline of a subscriber. */
  readonly timelines?: readonly TimelineSource[];
  /** Actions of automations and journeys. */
  readonly actionTypes?: readonly ActionType[];
  /** Triggers of automations other than changes of records. */
  readonly automationTriggers?: readonly AutomationTrigger[];
  /** Recognizes paths of records that a tenant has defined; at most one feature has it. */
  readonly isRecordPath?: RecordPathCheck;
  /** Error codes that the feature declares. */
  readonly errors?: readonly ErrorDefinition[];
  /** Implementations of extension points of other features. */
  readonly extensions?: readonly Extension[];
  /** Runs once at startup, before the server listens. */
  readonly start?: (platform: Platform) => Promise<void>;
}
