/** Default label of a form's submit button: it says what the button does. */
import type { PageLanguage } from './language.ts';

/** Purpose of a form. */
export type FormPurpose = 'send' | 'subscribe';

/** By primary language subtag (RFC 5646). Other languages use SurveyJS's label. */
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

/** Adds the label to a definition that has none. */
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
