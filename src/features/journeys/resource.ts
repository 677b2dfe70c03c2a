import Type from 'typebox';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { StoredCause } from '../../flows/chain.ts';
import { shownWithoutSecrets } from '../../flows/secret-headers.ts';
import type { CreateOf, JsonColumn, ReplaceOf, RowOf, TableOf } from '../../resources/field-types.ts';
import {
  boolean,
  hidden,
  id,
  integer,
  json,
  recordFields,
  text,
  time,
  uuid,
} from '../../resources/fields.ts';
import { uuidKey } from '../../resources/keys.ts';
import { defineResource } from '../../resources/resource.ts';
import type { SealedColumn } from '../../secrets/sealed-columns.ts';
import type { QueueItem } from '../../work-queue/work-queue.ts';
import { type Counts, HistoryEntry, ReEntry, Status, type Step, Steps, Trigger } from './schema.ts';

const fields = {
  id,
  name: text(Type.String({ minLength: 1, maxLength: 200 }), { filter: true, search: true }),
  active: boolean(
    Type.Boolean({
      description: 'False: no subscriber enters, and states wait at their step.',
    }),
    { filter: true },
  ),
  trigger: json(Trigger, { declared: true }),
  steps: json(Steps, { shown: shownWithoutSecrets(Steps) }),
  re_entry: json(ReEntry, { declared: true, default: 'never' }),
  /** Keys of the resources that cannot be deleted while the journey is active, as `usesOf` returns them. */
  uses: hidden(json(Type.Array(Type.String()), { writes: 'platform' })),
  ...recordFields,
};

const platform = { writes: 'platform' } as const;

const stateFields = {
  id,
  journey_id: uuid(Type.String(), { ...platform, column: 'target_id', filter: true }),
  journey_version: integer(Type.Integer({ description: 'Journey version at the start.' }), platform),
  subscriber_id: uuid(Type.String(), { ...platform, filter: true }),
  status: text(Status, { ...platform, filter: true }),
  current_step: text(Type.String(), { ...platform, nullable: true, filter: true }),
  due_at: time(Type.String({ description: 'Time of the next step; null: at once or never.' }), {
    ...platform,
    column: 'waits_until',
    nullable: true,
  }),
  entered_at: time(Type.String(), { ...platform, column: 'created_at' }),
  finished_at: time(Type.String(), { ...platform, nullable: true }),
  error: text(Type.String(), { ...platform, nullable: true }),
  history: json(Type.Array(HistoryEntry), { ...platform, declared: true }),
  version: integer(Type.Integer(), { ...platform, counts: true }),
  business_unit: hidden(uuid(Type.String(), { ...platform, column: 'owner_bu_id' })),
};

/** The last message that each step sent, by step key. */
export type Mails = Readonly<Record<string, { readonly id: string; readonly at: string }>>;

/**
 * Columns of an enrollment that the API does not return. `hears` has the types of events that its journey waits for,
 * `heard` the last time of each event by key (states/awaited-events.ts).
 */
type StateColumns = QueueItem & {
  lane: 'steps' | 'calls' | 'parked';
  entry: number;
  arrived_at: string;
  steps_taken: number;
  trigger: JsonColumn<object> | null;
  /** The form submission that started the enrollment. */
  submission_id: string | null;
  cause: JsonColumn<StoredCause> | null;
  mails: JsonColumn<Mails>;
  hears: string[];
  heard: JsonColumn<Readonly<Record<string, string>>>;
  waits_for: string | null;
  waits_since: string | null;
};

declare module '../../db/tables.ts' {
  interface Tables {
    journeys: TableOf<typeof fields>;
    journey_versions: {
      tenant_id: string;
      journey_id: string;
      version: number;
      steps: JsonColumn<readonly Step[]>;
    };
    journey_states: TableOf<typeof stateFields> & StateColumns;
    journey_past_states: { tenant_id: string; subscriber_id: string; state_id: string };
    journey_counts: Counts & { tenant_id: string; journey_id: string; slot: number };
    journey_sendings: {
      tenant_id: string;
      journey_id: string;
      step: string;
      fingerprint: string;
      transmission_id: string;
    };
  }
}

/** A row of `journeys`. */
export type JourneyRow = RowOf<typeof fields>;
/** Validated body of a create. */
export type JourneyCreate = CreateOf<typeof fields>;
/** Validated body of a replace. */
export type JourneyReplace = ReplaceOf<typeof fields>;
/** A row of `journey_states`, without the columns that the API does not return. */
export type StateRow = RowOf<typeof stateFields>;

/** Journeys: sequences of steps that subscribers go through. */
export const journeys = defineResource({
  title: 'Journey',
  entityType: 'user_journey',
  table: 'journeys',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
});

/** Enrollments: the position of a subscriber in a journey. They belong to the journey's unit. */
export const states = defineResource({
  title: 'JourneyState',
  entityType: 'user_journey_state',
  table: 'journey_states',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields: stateFields,
});

/** Columns with the encrypted values of secret headers. */
export const sealedSteps: readonly SealedColumn[] = [
  {
    table: 'journeys',
    column: 'steps',
    type: 'json',
    key: { id: 'uuid' },
    sealedUnder: ({ id = '' }) => id,
  },
  {
    table: 'journey_versions',
    column: 'steps',
    type: 'json',
    key: { journey_id: 'uuid', version: 'int' },
    sealedUnder: ({ journey_id = '' }) => journey_id,
  },
];
