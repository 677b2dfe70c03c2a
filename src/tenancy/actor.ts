import type { Caller } from './caller.ts';

/** Who writes. Only a member is bound by the rules of business units; history keeps who it was. */
export type Actor =
  | { readonly kind: 'member'; readonly caller: Caller }
  | { readonly kind: 'operator' }
  /** Somebody who fills in a public form. */
  | { readonly kind: 'visitor'; readonly formCode: string }
  | AutomationActor;

/** A run of an automation. */
export interface AutomationActor {
  readonly kind: 'automation';
  readonly key: string;
  readonly runId: string;
  /** The runs that led to this one, the first one first. */
  readonly chain: readonly string[];
  /** How many runs deep the chain is: what ends automations that set each other off. */
  readonly depth: number;
}

/** An actor as history keeps and shows it. */
export type ActorRecord =
  | { readonly kind: 'member'; readonly membership_id: string; readonly user_id: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'visitor'; readonly form_code: string }
  | {
      readonly kind: 'automation';
      readonly key: string;
      readonly run_id: string;
      readonly chain: readonly string[];
      readonly depth: number;
    };

/** The actor as history keeps it. */
export function toActorRecord(actor: Actor): ActorRecord {
  switch (actor.kind) {
    case 'member':
      return { kind: 'member', membership_id: actor.caller.membershipId, user_id: actor.caller.userId };
    case 'operator':
      return { kind: 'operator' };
    case 'visitor':
      return { kind: 'visitor', form_code: actor.formCode };
    case 'automation': {
      const { key, runId, chain, depth } = actor;
      return { kind: 'automation', key, run_id: runId, chain, depth };
    }
  }
}
