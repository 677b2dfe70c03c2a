/** Schemas of the reach of a subscriber: which mail may be sent to them, and what prevents the rest. */
import Type, { type Static } from 'typebox';
import { nullable } from '../../../../http/schemas.ts';

/** Reasons why mail is not sent, named like a campaign's exclusions; `unconfirmed` is one kind of inactive. */
const ReachCode = Type.Enum(['inactive', 'unconfirmed', 'unsubscribed', 'suppressed', 'sandbox']);

/** Changes that end a reason. */
const ReachAction = Type.Enum(['activate', 'subscribe', 'delete_suppression', 'allow_recipient']);

const ReachReason = Type.Object(
  {
    code: ReachCode,
    message: Type.String({ description: 'The reason, and what may change it.' }),
    suppression_type: nullable(Type.Enum(['bounce', 'complaint', 'unsubscribe']), {
      description: 'Cause of the suppression; null for another code.',
    }),
    detail: nullable(Type.String(), {
      description: 'The `inactive_reason` of the subscriber, or the description of the suppression.',
    }),
    since: nullable(Type.String({ format: 'date-time' }), {
      description: 'When the subscriber unsubscribed, or the address was suppressed.',
    }),
    by: nullable(Type.String(), {
      description:
        'Who unsubscribed them: the kind of the author in history, such as `member`, or `subscriber` for a link in a message.',
    }),
    action: nullable(ReachAction, { description: 'Null if only the subscriber can change it.' }),
  },
  { title: 'ReachReason' },
);
/** A reason why mail is not sent to a subscriber. */
export type ReachReason = Static<typeof ReachReason>;

const Reasons = Type.Array(ReachReason, { description: 'All reasons; empty if `ok`.' });

const Reachability = Type.Object(
  { ok: Type.Boolean({ description: 'True if mail may be sent.' }), reasons: Reasons },
  { title: 'Reachability' },
);

/** Which mail may be sent to a subscriber. */
export const Reach = Type.Object(
  {
    email: Type.String(),
    transactional: Type.Unsafe<Static<typeof Reachability>>({
      ...Reachability,
      description: 'Transactional mail to the address.',
    }),
    without_type: Type.Unsafe<Static<typeof Reachability>>({
      ...Reachability,
      description: 'Marketing mail without a subscription type.',
    }),
    types: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          ok: Reachability.properties.ok,
          reasons: Reasons,
        },
        { title: 'ReachabilityByType' },
      ),
      { description: 'Marketing mail of each active subscription type, in the order of the email settings.' },
    ),
  },
  { title: 'SubscriberReach' },
);
/** Which mail may be sent to a subscriber, with the reasons against the rest. */
export type Reach = Static<typeof Reach>;
