import { type AccountTexts, accountLanguage } from './account-page.ts';
import type { RequestContext } from './context.ts';

const TEXTS: AccountTexts<(minutes: number) => string> = {
  en: (minutes) => `Too many attempts. Try again in ${minutes === 1 ? 'one minute' : `${minutes} minutes`}.`,
  de: (minutes) =>
    `Zu viele Versuche. Versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} erneut.`,
};

/** An error of a form, and the status of its page. */
export interface FormError {
  readonly status: number;
  readonly text: string;
}

/** Returns the error of a form that was sent too often, and states the waiting time in `Retry-After`. */
export function tooManyAttempts(
  ctx: Pick<RequestContext, 'headers' | 'setHeader'>,
  waitSeconds: number,
): FormError {
  ctx.setHeader('retry-after', String(waitSeconds));
  return { status: 429, text: TEXTS[accountLanguage(ctx)](Math.ceil(waitSeconds / 60)) };
}
