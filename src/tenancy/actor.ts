import type { Caller } from './caller.ts';

/** Author of a write. Only members are subject to the rules of business units; history stores the author. */
export type Actor =
  | { readonly kind: 'member'; readonly caller: Caller }
  | { readonly kind: 'operator' }
  /** The platform itself, for example a schedule or the end of other work. */
  | { readonly kind: 'platform' }
  /** A visitor who submits a public form. */
  | { readonly kind: 'visitor'; readonly formCode: string }
  /** A subscriber who follows a link of a message. */
  | { readonly kind: 'subscriber'; readonly subscriberId: string }
  /** A step of a journey. */
  | { readonly kind: 'journey'; readonly journeyId: string }
  /** A visitor who talks to an assistant on a page. */
  | { readonly kind: 'conversation'; readonly conversationId: string }
  | {
      readonly kind: 'automation';
      readonly key: string;
      readonly runId: string;
      /** The automations, webhooks and journeys that led to this run, the first one first. */
      readonly chain: readonly string[];
      /** Number of runs in the chain; a limit on it ends automations that trigger each other. */
      readonly depth: number;
    };

/** An actor as stored and shown in history. */
export type ActorRecord = ReturnType<typeof toActorRecord>;

/** Converts an actor to its form in history. */
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
