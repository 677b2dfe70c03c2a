import type { ErrorDefinition } from '../errors/app-error.ts';
import type { ActionType } from '../flows/action-type.ts';
import type { AutomationTrigger } from '../flows/automation-trigger.ts';
import type { Route } from '../http/route.ts';
import type { RecordPathCheck } from '../http/unserved.ts';
import type { Job } from '../jobs/jobs.ts';
import type { Retention } from '../jobs/retention.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Platform } from '../platform.ts';
import type { Report } from '../reports/report.ts';
import type { Contents } from '../resources/contents.ts';
import type { HistoryDetail } from '../resources/history.ts';
import type { SealedColumn } from '../secrets/sealed-columns.ts';

/** What the reference says beside what routes say themselves. */
export interface ReferenceTexts {
  /** What a group of operations is about, by its name; the feature that stands for the group says it. */
  readonly tags?: Readonly<Record<string, string>>;
  /** A body to begin with, by operation id; text for what is not read as JSON. */
  readonly examples?: Readonly<Record<string, object | string>>;
}

/** What a resource area brings to the process. Its `index.ts` exports one of these. */
export interface Feature {
  /** The folder's name. */
  readonly name: string;
  readonly routes: readonly Route[];
  readonly reference?: ReferenceTexts;
  readonly jobs?: readonly Job[];
  /** What is removed when. */
  readonly retentions?: readonly Retention[];
  /** The columns in which it keeps secrets: every `secrets.seal` has one here. */
  readonly sealed?: readonly SealedColumn[];
  readonly ledgers?: readonly Ledger[];
  /** What of its records can be exported. */
  readonly reports?: readonly Report[];
  /** What of its records lives in projects, and goes and is copied with them. */
  readonly projectContents?: readonly Contents[];
  /** What versions of its records show beside what history keeps with each. */
  readonly historyDetails?: readonly HistoryDetail[];
  /** What automations can do with it. */
  readonly actionTypes?: readonly ActionType[];
  /** What else than a change of records sets automations off. */
  readonly automationTriggers?: readonly AutomationTrigger[];
  /** Which paths lead to records that a tenant has defined; one feature at most has them. */
  readonly isRecordPath?: RecordPathCheck;
  /** The error codes that this feature declares. */
  readonly errors?: readonly ErrorDefinition[];
  /** Runs once at start, before the server listens. */
  readonly start?: (platform: Platform) => Promise<void>;
}
