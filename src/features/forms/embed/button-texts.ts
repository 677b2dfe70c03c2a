/** What the button of a form says that has no text of its own: what pressing it does. */
import type { PageLanguage } from './language.ts';

/** What a form is for. */
export type FormPurpose = 'send' | 'subscribe';

/** By primary language subtag (RFC 5646); in other languages the button says what SurveyJS has it say. */
const texts: Readonly<Record<string, Readonly<Record<FormPurpose, string>>>> = {
  en: { send: 'Send', subscribe: 'Subscribe' },
  de: { send: 'Senden', subscribe: 'Abonnieren' },
  fr: { send: 'Envoyer', subscribe: 'S’abonner' },
  es: { send: 'Enviar', subscribe: 'Suscribirse' },
  it: { send: 'Invia', subscribe: 'Iscriviti' },
  nl: { send: 'Versturen', subscribe: 'Abonneren' },
  pt: { send: 'Enviar', subscribe: 'Subscrever' },
  pl: { send: 'Wyślij', subscribe: 'Zapisz się' },
  ja: { send: '送信', subscribe: '購読する' },
  ar: { send: 'إرسال', subscribe: 'اشتراك' },
};

/** The definition with a text for its button, where it has none. */
export function withButtonText(
  definition: Readonly<Record<string, unknown>>,
  purpose: FormPurpose,
  { locale }: PageLanguage,
): Readonly<Record<string, unknown>> {
  const [primary = ''] = locale.toLowerCase().split('-');
  const own = Object.hasOwn(texts, primary) ? texts[primary] : undefined;
  return own === undefined || definition.completeText
    ? definition
    : { ...definition, completeText: own[purpose] };
}
