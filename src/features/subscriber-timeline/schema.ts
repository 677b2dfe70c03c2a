/** Schemas of the timeline of a subscriber. */
import Type, { type Static } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { After } from '../../resources/order-options.ts';
import { TIMELINE_KINDS } from '../../timeline/timeline-source.ts';
import { VersionRecord } from '../tenancy/api.ts';

/** Largest page, in entries. */
const MAX_LIMIT = 100;
const Kind = Type.Enum([...TIMELINE_KINDS]);

/** Page of a timeline, and its kinds of entries. */
export const TimelineQuery = Type.Object({
  kinds: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Kinds of entries, separated by commas: ${TIMELINE_KINDS.join(', ')}. Default: all.`,
    }),
  ),
  after: Type.Optional(After),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: 50 })),
});
/** Page of a timeline, and its kinds of entries. */
export type TimelineQuery = Static<typeof TimelineQuery>;

const text = (description: string) => Type.Optional(Type.String({ description }));

const TimelineDetail = Type.Object(
  {
    status: text('Status of the mail, or of the subscriber in the journey.'),
    reason: text('Why a mail was not sent or came back, or a journey failed.'),
    url: text('Link that was clicked.'),
    machine_reason: text('Why an open or click is attributed to a machine.'),
    form_code: text('Form of a submission.'),
    version: Type.Optional(Type.Integer({ description: 'Version of the subscriber.' })),
    changed_fields: Type.Optional(
      Type.Array(Type.String(), { description: 'Members that the version changed.' }),
    ),
    active: Type.Optional(Type.Boolean({ description: 'New value, if the version changed it.' })),
    choices: Type.Optional(
      Type.Array(
        Type.Object(
          {
            subscription_type_id: Type.String(),
            name: Type.String({ description: 'Of the type; its id if the type was deleted.' }),
            subscribed: Type.Boolean(),
          },
          { title: 'TimelineChoice' },
        ),
        { description: 'Subscription types that the version changed.' },
      ),
    ),
    actor: Type.Optional(VersionRecord.properties.actor),
  },
  { title: 'TimelineDetail', description: 'Only the members that an entry has.' },
);

const TimelineEntry = Type.Object(
  {
    id: Type.String({ description: 'Unique among entries of the kind.' }),
    kind: Kind,
    at: Type.String({ format: 'date-time' }),
    title: nullable(Type.String({ description: 'Description of the mail; name of the form or journey.' })),
    entity_type: Type.String({ description: 'Kind of the record that the entry leads to.' }),
    key: Type.String({ description: 'Key of that record; of an edit or a consent, the version.' }),
    detail: TimelineDetail,
  },
  { title: 'TimelineEntry' },
);
/** Something that happened to a subscriber. */
export type TimelineEntry = Static<typeof TimelineEntry>;

/** A subscription type that a version changed. */
export type TimelineChoice = NonNullable<TimelineEntry['detail']['choices']>[number];

/** A page of a timeline, newest first. */
export const Timeline = Type.Object(
  {
    results: Type.Array(TimelineEntry),
    next: nullable(Type.String({ description: '`after` of the next page; null on the last one.' })),
  },
  { title: 'SubscriberTimeline' },
);
/** A page of a timeline, newest first. */
export type Timeline = Static<typeof Timeline>;
