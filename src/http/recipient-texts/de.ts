import type { RecipientTexts } from './en.ts';

/** German texts. */
export const de: RecipientTexts = {
  unsubscribeTitle: 'Von {sender} abmelden',
  unsubscribeAsk: 'Abmelden?',
  unsubscribe: 'Abmelden',
  willNoLongerGet: '{address} erhält dann keine Nachrichten dieser Art von {sender} mehr.',
  addressWillNoLongerGet: 'Diese Adresse erhält dann diese Nachrichten nicht mehr.',
  unsubscribed: 'Sie sind abgemeldet',
  noLongerGets: '{address} erhält keine Nachrichten dieser Art von {sender} mehr.',
  addressNoLongerGets: 'Diese Adresse erhält diese Nachrichten nicht mehr.',
  mistake: 'War das ein Versehen?',
  subscribeAgain: 'Wieder anmelden',
  subscribedAgain: 'Sie sind wieder angemeldet',
  getsAgain: '{address} erhält Nachrichten dieser Art von {sender}.',
  badLink: 'Dieser Link ist nicht gültig',
  badUnsubscribeLink:
    'Vielleicht wurde er unterwegs abgeschnitten. Bitte verwenden Sie den Link in der Nachricht selbst, oder antworten Sie auf die Nachricht.',
  badClickLink:
    'Vielleicht wurde er unterwegs abgeschnitten, sodass wir nicht wissen, wohin er führt. Bitte verwenden Sie den Link in der Nachricht selbst.',
  badViewLink:
    'Vielleicht wurde er unterwegs abgeschnitten, ist älter als 90 Tage oder stammt aus einer Vorschau. Die Nachricht selbst ist noch in Ihrem Postfach.',
  badPreferencesLink:
    'Vielleicht wurde er unterwegs abgeschnitten, ist älter als 90 Tage oder stammt aus einer Vorschau. Bitte verwenden Sie den Link in einer neueren Nachricht.',
  badConfirmLink:
    'Vielleicht wurde er unterwegs abgeschnitten, oder er ist älter als sieben Tage. Bitte füllen Sie das Formular noch einmal aus, um einen neuen zu erhalten.',
  preferencesTitle: 'Ihre E-Mails von {sender}',
  savedTitle: 'Gespeichert: Ihre E-Mails von {sender}',
  preferencesAsk: 'Was möchten Sie erhalten?',
  preferencesSaved: 'Ihre Auswahl ist gespeichert',
  preferencesOf: 'E-Mails von {sender} an {address}',
  sendMe: 'Senden Sie mir',
  nothing: 'Nichts mehr',
  nothingHint: 'Gar keine Newsletter oder Angebote von {sender}.',
  nothingHintAmongOthers:
    'Gar keine Newsletter oder Angebote von {sender}, was auch immer oben ausgewählt ist.',
  save: 'Speichern',
  receiveNothing: 'Sie erhalten nichts mehr von {sender}.',
  tickAgain: 'Wählen Sie aus, was Sie wieder erhalten möchten.',
  sendsNothing: 'Zurzeit sendet {sender} nichts an diese Adresse, was auch immer Sie auswählen.',
  youReceive: 'Sie erhalten: {names}.',
  receiveNone: 'Sie erhalten nichts davon.',
  confirmTitle: 'Anmeldung bei {sender} bestätigen',
  confirmAsk: 'Anmeldung bestätigen?',
  willGet: '{address} erhält dann Nachrichten von {sender}.',
  confirm: 'Bestätigen',
  confirmIgnore: 'Wenn Sie das nicht angefordert haben, schließen Sie diese Seite: Sie erhalten dann nichts.',
  confirmedTitle: 'Angemeldet bei {sender}',
  confirmed: 'Ihre Anmeldung ist bestätigt',
  confirmedText: '{address} erhält Nachrichten von {sender}. Jede enthält einen Link zum Abmelden.',
  mailSubject: 'Bitte bestätigen Sie Ihre Anmeldung bei {sender}',
  mailHello: 'Guten Tag,',
  mailText:
    'Ihre Adresse wurde in ein Formular von {sender} eingetragen. Bitte bestätigen Sie, dass Sie Nachrichten von uns erhalten möchten:',
  mailIgnore:
    'Der Link gilt sieben Tage. Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht: Sie erhalten dann nichts.',
};
