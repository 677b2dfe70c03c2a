/** What goes with a form: features that import forms say so at start. */
import type { MemberContext } from '../../http/context.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { refuseUsedForm } from './journeys.ts';
import type { FormRow } from './resource.ts';

/** Deletes what belongs to a form, in the transaction that deletes it. */
export type DeleteWithForm = (ctx: MemberContext, formCode: string) => Promise<void>;

const registered = oncePerPlatform((): DeleteWithForm[] => []);

/** Registers what is deleted with a form: once, at start. */
export function registerFormDeletion(platform: Platform, deleteWithForm: DeleteWithForm): void {
  registered(platform).push(deleteWithForm);
}

/** Deletes what belongs to a deleted form. @throws AppError IN_USE naming the active journeys that name the form. */
export async function afterFormDeletion(ctx: MemberContext, { code }: FormRow): Promise<void> {
  await refuseUsedForm(ctx.platform, ctx.db, code);
  for (const deleteWithForm of registered(ctx.platform)) await deleteWithForm(ctx, code);
}
