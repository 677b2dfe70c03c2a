import type { Caller } from './caller.ts';

/** Who writes. Only a member is bound by the rules of business units; history keeps who it was. */
export type Actor =
  | { readonly kind: 'member'; readonly caller: Caller }
  | { readonly kind: 'operator' }
  /** The platform by itself: a time has come, or work has ended. */
  | { readonly kind: 'platform' }
  /** Somebody who fills in a public form. */
  | { readonly kind: 'visitor'; readonly formCode: string }
  /** Somebody who receives marketing mail, by a link of a message. */
  | { readonly kind: 'subscriber'; readonly subscriberId: string }
  /** A step of a journey. */
  | { readonly kind: 'journey'; readonly journeyId: string }
  /** Somebody who talks with an assistant on a page. */
  | { readonly kind: 'conversation'; readonly conversationId: string }
  | {
      readonly kind: 'automation';
      readonly key: string;
      readonly runId: string;
      /** The automations, webhooks and journeys that led to this run, the first one first. */
      readonly chain: readonly string[];
      /** How many runs deep the chain is: what ends automations that set each other off. */
      readonly depth: number;
    };

/** An actor as history keeps and shows it. */
export type ActorRecord = ReturnType<typeof toActorRecord>;

/** The actor as history keeps it. */
export function toActorRecord(actor: Actor) {
  const { kind } = actor;
  switch (kind) {
    case 'member':
      return { kind, membership_id: actor.caller.membershipId, user_id: actor.caller.userId };
    case 'operator':
    case 'platform':
      return { kind };
    case 'visitor':
      return { kind, form_code: actor.formCode };
    case 'subscriber':
      return { kind, subscriber_id: actor.subscriberId };
    case 'journey':
      return { kind, journey_id: actor.journeyId };
    case 'conversation':
      return { kind, conversation_id: actor.conversationId };
    case 'automation':
      return { kind, key: actor.key, run_id: actor.runId, chain: actor.chain, depth: actor.depth };
  }
}
